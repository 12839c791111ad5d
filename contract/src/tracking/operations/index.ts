export * from './feed.ts';
export * from './pools.ts';
export * from './script.ts';
export * from './sources.ts';
export * from './visits.ts';
