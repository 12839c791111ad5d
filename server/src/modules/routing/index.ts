export {
  begin,
  beginOutbound,
  compileFlow,
  externalLegOf,
  parkedOf,
  pauseOf,
  simulate,
  step,
} from './engine/index.ts';
export type {
  AnsweredBy,
  CallFacts,
  CallState,
  EngineEvent,
  FinalCode,
  Flow,
  HistoryEntry,
  Inbound,
  Leg,
  NumberConfig,
  Outbound,
  Outcome,
  TransferEvent,
  TransferTo,
  PathStep,
  PersonPause,
  Phase,
  RecordingFact,
  ScreenEvent,
  StatusCode,
  StepResult,
  Target,
  Timer,
  EngineInputs,
} from './engine/index.ts';
export { saveRoundRobin, lockRoundRobin, withRoundRobin } from './flows/round-robin.ts';
export { buildFlow as flowFor, type FlowContext } from './build-flow.ts';
export { provideCallerScreening, type CallerScreening } from './caller-screening.ts';
export { provideCallingPresence, type CallingPresence } from './reachable-users.ts';
export { hoursOfPeople } from './schedules/company-clock.ts';
export { routesOf } from './routes-of.ts';
export { saveRoutes } from './save-routes.ts';
export { updateNumber } from './update-number.ts';
export { hoursOfNumber } from './schedules/hours-of-number.ts';
