/** The engine's door: three functions and their words. */
export * from './types.ts';
export { begin, beginOutbound } from './begin.ts';
export { step } from './step.ts';
