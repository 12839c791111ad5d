export * as operations from './operations.ts';
export * from './endpoints.ts';
