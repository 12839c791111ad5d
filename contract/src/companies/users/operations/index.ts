export * from './bulk.ts';
export * from './people.ts';
