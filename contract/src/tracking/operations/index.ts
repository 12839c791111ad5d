export * from './pools.ts';
export * from './sources.ts';
