export * from './pools.ts';
export * from './sources.ts';
export * from './visits.ts';
