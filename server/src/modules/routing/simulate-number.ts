import type { Answer, Body, routing } from '#contract';
import { placeOfNumber } from '#contract/area-codes';
import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { isBlocked } from '../compliance/index.ts';
import { asShown } from './as-sent.ts';
import { simulate } from './engine/index.ts';
import { flowFor } from './flow-for.ts';
import { readKept } from './flows/kept-flow.ts';
import { draftRow, versionRow } from './flows/store.ts';
import { memoryOf } from './flows/turns.ts';

type Asked = Body<typeof routing.simulateNumber>;

/**
 * POST /numbers/{id}/simulate (A7.2): the live engine, given what a live call would be given, on the stored routes, on
 * those the editor shows, on the draft or on an earlier version. Writes nothing.
 */
export async function simulateNumber(
  ctx: TxCtx,
  numberId: number,
  asked: Asked,
): Promise<Answer<typeof routing.simulateNumber>> {
  if (ctx.numbers !== null && !ctx.numbers.includes(numberId)) missing();
  const from = normalizePhone(asked.from) ?? asked.from;
  const blocked = (await isBlocked(
    ctx.tx,
    ctx.companyId,
    numberId,
    from === '' ? 'anonymous' : from,
  ))
    ? 'This caller is blocked.'
    : null;
  const tried = await triedInstead(ctx, numberId, asked);
  const flow = await flowFor(ctx, numberId, {
    blocked,
    ...(tried.routes && { routes: tried.routes.map(asIfSaved) }),
    ...(tried.menu && { menu: tried.menu }),
  });
  const at = asked.at === undefined ? ctx.now : new Date(asked.at);
  const played = simulate(flow, {
    from,
    at: at.getTime(),
    pressed: asked.pressed,
    answers: asked.answers,
    state: placeOfNumber(from)?.state ?? undefined,
    ...(await memoryOf(ctx, flow)),
  });
  return {
    data: {
      ...played,
      steps: played.steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
    },
  };
}

async function triedInstead(
  ctx: TxCtx,
  numberId: number,
  asked: Asked,
): Promise<{
  routes?: routing.RouteIn[] | undefined;
  menu?: routing.NumberWithRoutes['menu'] | undefined;
}> {
  if (asked.routes !== undefined || asked.menu !== undefined)
    return { routes: asked.routes, menu: asked.menu };
  if (asked.version !== undefined)
    return readKept(
      ((await versionRow(ctx.tx, ctx.companyId, numberId, asked.version)) ?? missing()).flow,
    );
  const draft = asked.draft ? await draftRow(ctx.tx, ctx.companyId, numberId) : undefined;
  return draft === undefined ? {} : readKept(draft.flow);
}

/** A route that has not been saved gets an id for the length of the simulation; no stored route has one so small. */
function asIfSaved(route: routing.RouteIn, i: number): routing.Route {
  const shown = asShown(route);
  return {
    ...shown,
    id: shown.id ?? i + 1,
    forwards: shown.forwards.map((forward, j) => ({ ...forward, id: forward.id ?? j + 1 })),
  };
}
