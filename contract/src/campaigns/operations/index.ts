export * from './actions.ts';
export * from './reading.ts';
export * from './writing.ts';
