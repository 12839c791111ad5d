export * as operations from './operations/index.ts';
export * as payloads from './payloads.ts';
export * from './availability.ts';
export * from './endpoints.ts';
export * from './events.ts';
export * from './examples.ts';
export * from './rules.ts';
export * from './schemas.ts';
