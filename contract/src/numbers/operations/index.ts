export * from './buying.ts';
export * from './changes.ts';
export * from './lists.ts';
export * from './options.ts';
export * from './timeline.ts';
