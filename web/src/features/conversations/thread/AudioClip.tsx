export { AudioClip } from '#ui/components/AudioClip.tsx';
