export * as operations from './operations.ts';
export * from './endpoints.ts';
export * from './rules.ts';
