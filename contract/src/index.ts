export * as calls from './calls.ts';
export * from './kit.ts';
export * from './permissions.ts';
export * from './refusals.ts';
export * from './phone.ts';
export * from './catalogue.ts';
