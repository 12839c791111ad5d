/**
 * The types of the call engine: what it is given (Flow, Inbound, EngineInputs), what it keeps
 * (CallState) and what it returns (StepResult). All of it is plain JSON. README.md describes how
 * a host drives it.
 */
export * from './types/events.ts';
export * from './types/flow.ts';
export * from './types/inputs.ts';
export * from './types/ring-plan.ts';
export * from './types/state.ts';
