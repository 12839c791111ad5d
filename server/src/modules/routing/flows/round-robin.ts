import type { TxCtx } from '../../../platform/context.ts';
import type { CallState, Flow, EngineInputs } from '../engine/index.ts';
import {
  lastAnswersOnRoutes,
  countTurns,
  lockTurnCounts,
  saveLastAnswer,
  turnCounts,
} from './store.ts';

const rotatingRoutes = (flow: Flow): number[] =>
  flow.routes
    .filter(
      (route) =>
        route.type === 'sequential' &&
        (route.roundRobin === 'strict' || route.roundRobin === 'weighted'),
    )
    .map((route) => route.id);
const leastRecentRoutes = (flow: Flow): number[] =>
  flow.routes
    .filter((route) => route.type === 'sequential' && route.roundRobin === 'least_recent')
    .map((route) => route.id);

export type RoundRobinState = Pick<EngineInputs, 'turns' | 'lastAnswered'>;

/** What round robin remembers about the routes of a flow, only looked at: for simulations. */
export async function readRoundRobin(ctx: TxCtx, flow: Flow): Promise<RoundRobinState> {
  return {
    turns: await turnCounts(ctx.tx, ctx.companyId, rotatingRoutes(flow)),
    lastAnswered: await lastAnswersOnRoutes(ctx.tx, ctx.companyId, leastRecentRoutes(flow)),
  };
}

/** The same for a live call that may enter a route now. Turns are held until the transaction ends, so that two calls at once never take the same one. */
export async function lockRoundRobin(ctx: TxCtx, flow: Flow): Promise<RoundRobinState> {
  return {
    turns: await lockTurnCounts(ctx.tx, ctx.companyId, rotatingRoutes(flow)),
    lastAnswered: await lastAnswersOnRoutes(ctx.tx, ctx.companyId, leastRecentRoutes(flow)),
  };
}

/** Before an event is stepped: a caller in the menu may choose a route now, long after the call began. */
export async function withRoundRobin(ctx: TxCtx, state: CallState): Promise<CallState> {
  if (
    state.phase.name !== 'menu' ||
    rotatingRoutes(state.flow).length + leastRecentRoutes(state.flow).length === 0
  )
    return state;
  return { ...state, world: { ...state.world, ...(await lockRoundRobin(ctx, state.flow)) } };
}

/** After it: the routes the call entered have had their turn, and whoever took the call answered last. */
export async function saveRoundRobin(
  ctx: TxCtx,
  before: CallState | null,
  after: CallState,
): Promise<void> {
  const entered = after.visited.filter((id) => before === null || !before.visited.includes(id));
  const counted = rotatingRoutes(after.flow).filter((id) => entered.includes(id));
  if (counted.length > 0) await countTurns(ctx.tx, ctx.companyId, counted);
  const { connectedAt, routeId } = after.facts;
  if (
    connectedAt === null ||
    (before?.facts.connectedAt ?? null) !== null ||
    routeId === null ||
    !leastRecentRoutes(after.flow).includes(routeId)
  )
    return;
  const key = after.legs.find((leg) => leg.role === 'target' && leg.state === 'connected')?.target
    ?.key;
  if (key !== undefined)
    await saveLastAnswer(ctx.tx, ctx.companyId, routeId, key, new Date(connectedAt));
}
