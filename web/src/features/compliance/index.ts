/** What other features may use of this one. */
export { StateBadges } from './StateBadges.tsx';
export { useBlockCaller } from './use-block-caller.ts';
