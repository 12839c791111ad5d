/** What other features may import from this one. */
export { SourceFilter } from './sources/SourceFilter.tsx';
