/** The public API of the call engine. */
export * from './types.ts';
export { begin, beginOutbound } from './begin.ts';
export { step } from './step.ts';
export { compileFlow, type NumberConfig } from './compile.ts';
export { pauseOf, type PersonPause } from './person-pause.ts';
export { simulate } from './simulation/simulate.ts';
export { externalLegOf, parkedOf } from './transfer/audio.ts';
