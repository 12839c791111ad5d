/** What other features may import from this one. */
export { fallbackSentence, modelName, modelSentence } from './models/labels.ts';
export { TrackingTabs } from './TrackingTabs.tsx';
export { SourceFilter } from './sources/SourceFilter.tsx';
