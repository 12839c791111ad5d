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

type RoundRobinState = Pick<EngineInputs, 'turns' | 'lastAnswered'>;

/** The round-robin memory of a flow's routes, not locked: for simulations. */
export async function readRoundRobin(ctx: TxCtx, flow: Flow): Promise<RoundRobinState> {
  return {
    turns: await turnCounts(ctx.tx, ctx.companyId, rotatingRoutes(flow)),
    lastAnswered: await lastAnswersOnRoutes(ctx.tx, ctx.companyId, leastRecentRoutes(flow)),
  };
}

/**
 * The round-robin memory for a live call that may enter a route now. Locks the turns until the
 * transaction ends, so that concurrent calls take different ones.
 */
export async function lockRoundRobin(ctx: TxCtx, flow: Flow): Promise<RoundRobinState> {
  return {
    turns: await lockTurnCounts(ctx.tx, ctx.companyId, rotatingRoutes(flow)),
    lastAnswered: await lastAnswersOnRoutes(ctx.tx, ctx.companyId, leastRecentRoutes(flow)),
  };
}

/** Refreshes the memory before a step of a call in the menu: the caller may choose a route now. */
export async function withRoundRobin(ctx: TxCtx, state: CallState): Promise<CallState> {
  if (
    state.phase.name !== 'menu' ||
    rotatingRoutes(state.flow).length + leastRecentRoutes(state.flow).length === 0
  )
    return state;
  return { ...state, world: { ...state.world, ...(await lockRoundRobin(ctx, state.flow)) } };
}

/**
 * After a step: counts turns of entered routes and stores who answered. `before` null: new call.
 */
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
