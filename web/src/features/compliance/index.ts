/** Public API of the compliance feature. */
export { StateBadges } from './StateBadges.tsx';
export { useBlockCaller } from './use-block-caller.ts';
