export * from './fields.ts';
export * from './tags.ts';
