export { begin, beginOutbound, compileFlow, simulate, step } from './engine/index.ts';
export type {
  AnsweredBy, CallFacts, CallState, EngineEvent, FinalCode, Flow, HistoryEntry, Inbound, Leg, NumberConfig, Outbound, Outcome, PathStep, Phase, RecordingFact, ScreenEvent, StatusCode, StepResult, Timer, World,
} from './engine/index.ts';
export { answers } from './routes.ts';
export { reactions } from './reactions.ts';
export { flowFor, type FlowCircumstances } from './flow-for.ts';
export { answerReachable } from './reachable.ts';
export { routesOf } from './routes-of.ts';
export { saveRoutes } from './save-routes.ts';
export { owns } from './store.ts';
