export * from './contacts.ts';
export * from './many.ts';
export * from './merging.ts';
