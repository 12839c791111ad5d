export * from './buying.ts';
export * from './changes.ts';
export * from './number.ts';
