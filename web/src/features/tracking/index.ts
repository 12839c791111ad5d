/** What other features may import from this one. */
export { fallbackSentence, modelName, modelSentence } from './models/labels.ts';
export { SourceFilter } from './sources/SourceFilter.tsx';
