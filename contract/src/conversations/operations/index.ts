export * from './activity.ts';
export * from './notes.ts';
export * from './reading.ts';
export * from './sending.ts';
export * from './triage.ts';
