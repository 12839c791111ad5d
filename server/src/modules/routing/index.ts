export { begin, beginOutbound, step, simulate, compileFlow } from './engine/index.ts';
export type {
  AnsweredBy, CallFacts, CallState, EngineEvent, FinalCode, Flow, HistoryEntry, Inbound, Leg, NumberConfig, Outbound, Outcome, PathStep, Phase, RecordingFact, ScreenEvent, StatusCode, StepResult, Timer, World,
} from './engine/index.ts';
