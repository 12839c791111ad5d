export {
  begin,
  beginOutbound,
  compileFlow,
  externalLegOf,
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
  TransferEvent,
  TransferTo,
  PathStep,
  Phase,
  RecordingFact,
  ScreenEvent,
  StatusCode,
  StepResult,
  Target,
  Timer,
  EngineInputs,
} from './engine/index.ts';
export { routes } from './routes.ts';
export { subscribers } from './subscribers.ts';
export { jobs } from './jobs.ts';
export { saveRoundRobin, lockRoundRobin, withRoundRobin } from './flows/round-robin.ts';
export { buildFlow as flowFor, type FlowContext } from './build-flow.ts';
export { provideReachableUsers } from './reachable-users.ts';
export { routesOf } from './routes-of.ts';
export { saveRoutes } from './save-routes.ts';
export { updateNumber } from './update-number.ts';
export { hoursOfNumber } from './schedules/hours-of-number.ts';
import { registerRoutingProvider } from '../numbers/index.ts';
import { routeByTemplate, routeNewNumber } from './route-new-number.ts';
import { lockRoutes, owns as routes } from './store.ts';
import { owns as flows } from './flows/store.ts';
import { owns as greetings } from './greetings/store.ts';
import { owns as schedules } from './schedules/store.ts';

export const owns = [...routes, ...flows, ...greetings, ...schedules] as const;
registerRoutingProvider({
  createRoutes: routeNewNumber,
  lockRoutes: async (t, numberId) => {
    await lockRoutes(t.tx, numberId);
  },
  applyTemplateRoutes: routeByTemplate,
});
