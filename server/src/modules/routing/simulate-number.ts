import type { Answer, Body, routing } from '#contract';
import { placeOfNumber } from '#contract/area-codes';
import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { screeningOf } from './caller-screening.ts';
import { isBlocked } from '../compliance/index.ts';
import { toShownRoute } from './sent-payload.ts';
import { simulate } from './engine/index.ts';
import { buildFlow } from './build-flow.ts';
import { parseStoredFlow } from './flows/stored-flow.ts';
import { draftRow, versionRow } from './flows/store.ts';
import { readRoundRobin } from './flows/round-robin.ts';

type SimulationRequest = Body<typeof routing.simulateNumber>;

/**
 * POST /numbers/{id}/simulate (A7.2): runs the engine as for a live call on the stored routes,
 * those of the editor, the draft or a version. Writes nothing.
 */
export async function simulateNumber(
  ctx: TxCtx,
  numberId: number,
  request: SimulationRequest,
): Promise<Answer<typeof routing.simulateNumber>> {
  if (ctx.numbers !== null && !ctx.numbers.includes(numberId)) notFound();
  const from = normalizePhone(request.from) ?? request.from;
  const party = from === '' ? 'anonymous' : from;
  const isListed = await isBlocked(ctx.tx, ctx.companyId, numberId, party);
  const screening = await screeningOf(ctx, party);
  const partyState = placeOfNumber(from)?.state ?? null;
  const proposed = await proposedFlow(ctx, numberId, request);
  const flow = await buildFlow(ctx, numberId, {
    blocked: isListed ? 'This caller is blocked.' : screening.blocked,
    pressOne: screening.pressOne,
    partyState,
    ...(proposed.routes && { routes: proposed.routes.map(withTemporaryId) }),
    ...(proposed.menu && { menu: proposed.menu }),
  });
  const at = request.at === undefined ? ctx.now : new Date(request.at);
  const simulation = simulate(flow, {
    from,
    at: at.getTime(),
    pressed: request.pressed,
    answers: request.answers,
    state: partyState ?? undefined,
    ...(await readRoundRobin(ctx, flow)),
  });
  return {
    data: {
      ...simulation,
      steps: simulation.steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
    },
  };
}

/** The routes and menu to simulate; absent = the stored ones. */
async function proposedFlow(
  ctx: TxCtx,
  numberId: number,
  request: SimulationRequest,
): Promise<{
  routes?: routing.RouteIn[] | undefined;
  menu?: routing.NumberWithRoutes['menu'] | undefined;
}> {
  if (request.routes !== undefined || request.menu !== undefined)
    return { routes: request.routes, menu: request.menu };
  if (request.version !== undefined)
    return parseStoredFlow(
      ((await versionRow(ctx.tx, ctx.companyId, numberId, request.version)) ?? notFound()).flow,
    );
  const draft = request.draft ? await draftRow(ctx.tx, ctx.companyId, numberId) : undefined;
  return draft === undefined ? {} : parseStoredFlow(draft.flow);
}

/** Gives an unsaved route an id for the simulation; stored routes never have one so small. */
function withTemporaryId(route: routing.RouteIn, i: number): routing.Route {
  const shown = toShownRoute(route);
  return {
    ...shown,
    id: shown.id ?? i + 1,
    forwards: shown.forwards.map((forward, j) => ({ ...forward, id: forward.id ?? j + 1 })),
  };
}
