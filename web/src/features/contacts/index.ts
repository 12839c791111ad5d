/** The public API of this feature. */
export { displayNumber, sourceName, type Contact } from './labels.ts';
export { useSorting } from './use-sorting.ts';
