export * from './assigning.ts';
export * from './replies.ts';
export * from './views.ts';
