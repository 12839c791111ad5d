/** The engine's door: three functions and their words. */
export * from './types.ts';
export { begin, beginOutbound } from './begin.ts';
export { step } from './step.ts';
export { compileFlow, type NumberConfig } from './compile.ts';
export { simulate, type Answers, type Simulation } from './simulate.ts';
export { outsideLegOf, parkedOf } from './transfer-audio.ts';
