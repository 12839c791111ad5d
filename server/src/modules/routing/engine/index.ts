/** The engine's door: three functions and their words. */
export * from './types.ts';
export { begin, beginOutbound } from './begin.ts';
export { step } from './step.ts';
export { compileFlow, type NumberConfig } from './compile.ts';
export { simulate, type Reactions as Answers, type Simulation } from './simulate.ts';
export { externalLegOf as outsideLegOf, parkedOf } from './transfer-audio.ts';
