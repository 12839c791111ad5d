import type { TxCtx } from '../../../platform/context.ts';
import type { CallState, Flow, World } from '../engine/index.ts';
import { answersOnRoutes, countTurns, holdTurns, keepAnswer, turnsOf } from './store.ts';

const turning = (flow: Flow): number[] =>
  flow.routes
    .filter(
      (route) =>
        route.type === 'sequential' &&
        (route.roundRobin === 'strict' || route.roundRobin === 'weighted'),
    )
    .map((route) => route.id);
const remembering = (flow: Flow): number[] =>
  flow.routes
    .filter((route) => route.type === 'sequential' && route.roundRobin === 'least_recent')
    .map((route) => route.id);

export type Memory = Pick<World, 'turns' | 'lastAnswered'>;

/** What round robin remembers about the routes of a flow, only looked at: for simulations. */
export async function memoryOf(ctx: TxCtx, flow: Flow): Promise<Memory> {
  return {
    turns: await turnsOf(ctx.tx, ctx.companyId, turning(flow)),
    lastAnswered: await answersOnRoutes(ctx.tx, ctx.companyId, remembering(flow)),
  };
}

/** The same for a live call that may enter a route now. Turns are held until the transaction ends, so that two calls at once never take the same one. */
export async function memoryToTake(ctx: TxCtx, flow: Flow): Promise<Memory> {
  return {
    turns: await holdTurns(ctx.tx, ctx.companyId, turning(flow)),
    lastAnswered: await answersOnRoutes(ctx.tx, ctx.companyId, remembering(flow)),
  };
}

/** Before an event is stepped: a caller in the menu may choose a route now, long after the call began. */
export async function withMemory(ctx: TxCtx, state: CallState): Promise<CallState> {
  if (
    state.phase.name !== 'menu' ||
    turning(state.flow).length + remembering(state.flow).length === 0
  )
    return state;
  return { ...state, world: { ...state.world, ...(await memoryToTake(ctx, state.flow)) } };
}

/** After it: the routes the call entered have had their turn, and whoever took the call answered last. */
export async function keepMemory(
  ctx: TxCtx,
  before: CallState | null,
  after: CallState,
): Promise<void> {
  const entered = after.visited.filter((id) => before === null || !before.visited.includes(id));
  const counted = turning(after.flow).filter((id) => entered.includes(id));
  if (counted.length > 0) await countTurns(ctx.tx, ctx.companyId, counted);
  const { connectedAt, routeId } = after.facts;
  if (
    connectedAt === null ||
    (before?.facts.connectedAt ?? null) !== null ||
    routeId === null ||
    !remembering(after.flow).includes(routeId)
  )
    return;
  const key = after.legs.find((leg) => leg.role === 'target' && leg.state === 'connected')?.target
    ?.key;
  if (key !== undefined)
    await keepAnswer(ctx.tx, ctx.companyId, routeId, key, new Date(connectedAt));
}
