/** What other features may use of this one. */
export { displayNumber, sourceName, type Contact } from './labels.ts';
export { useSorting } from './use-sorting.ts';
