export * as operations from './operations/index.ts';
export * as payloads from './payloads.ts';
export * from './endpoints.ts';
export * from './events.ts';
export * from './rules.ts';
