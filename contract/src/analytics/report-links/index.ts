export * as operations from './operations.ts';
export * as payloads from './payloads.ts';
export * from './endpoints.ts';
export * from './events.ts';
export * from './rules.ts';
export * from './schemas.ts';
