export {
  begin,
  beginOutbound,
  compileFlow,
  outsideLegOf,
  parkedOf,
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
  PassEvent,
  PassTo,
  PathStep,
  Phase,
  RecordingFact,
  ScreenEvent,
  StatusCode,
  StepResult,
  Target,
  Timer,
  World,
} from './engine/index.ts';
export { answers } from './routes.ts';
export { reactions } from './reactions.ts';
export { jobs } from './jobs.ts';
export { keepMemory, memoryToTake, withMemory } from './flows/turns.ts';
export { flowFor, type FlowCircumstances } from './flow-for.ts';
export { answerReachable } from './reachable.ts';
export { routesOf } from './routes-of.ts';
export { saveRoutes } from './save-routes.ts';
export { hoursOfNumber } from './schedules/hours-of-number.ts';
import { answerRoutes } from '../numbers/index.ts';
import { routeByTemplate, routeNewNumber } from './route-new-number.ts';
import { holdRoutes, owns as routes } from './store.ts';
import { owns as flows } from './flows/store.ts';
import { owns as greetings } from './greetings/store.ts';
import { owns as schedules } from './schedules/store.ts';

export const owns = [...routes, ...flows, ...greetings, ...schedules] as const;
answerRoutes({
  routeNew: routeNewNumber,
  holdRoutes: async (t, numberId) => {
    await holdRoutes(t.tx, numberId);
  },
  routeByTemplate,
});
