import type { Answer, Body, routing } from '#contract';
import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { isBlocked } from '../compliance/index.ts';
import { flowFor } from './flow-for.ts';
import { simulate } from './engine/index.ts';

/** POST /numbers/{id}/simulate (A7.2): the live engine on the stored routes, or on those the editor shows. Writes nothing. */
export async function simulateNumber(ctx: TxCtx, numberId: number, asked: Body<typeof routing.simulateNumber>): Promise<Answer<typeof routing.simulateNumber>> {
  if (ctx.numbers !== null && !ctx.numbers.includes(numberId)) missing();
  const from = normalizePhone(asked.from) ?? asked.from;
  const blocked = (await isBlocked(ctx.tx, ctx.companyId, numberId, from === '' ? 'anonymous' : from)) ? 'This caller is blocked.' : null;
  const flow = await flowFor(ctx, numberId, { blocked, ...(asked.routes === undefined ? {} : { routes: asked.routes.map(asIfSaved) }) });
  const at = asked.at === undefined ? ctx.now : new Date(asked.at);
  const played = simulate(flow, { from, at: at.getTime(), pressed: asked.pressed, answers: asked.answers });
  return { data: { ...played, steps: played.steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })) } };
}

/** A route that has not been saved gets an id for the length of the simulation. */
function asIfSaved(route: routing.RouteIn, i: number): routing.Route {
  const { after_hours: after } = route;
  return {
    ...route,
    id: route.id ?? i + 1,
    forwards: route.forwards.map((forward, j) => ({
      ...forward,
      id: forward.id ?? j + 1,
      number: forward.number ?? null,
      contact_id: null,
      user_id: forward.user_id ?? null,
      weight: forward.weight ?? null,
      timeout: forward.timeout ?? null,
      schedule: forward.schedule ?? null,
      order: j,
      caller_id: forward.caller_id ?? null,
      custom_caller_id: forward.custom_caller_id ?? null,
    })),
    voicemail_greeting_id: null,
    after_hours: after === null ? null : { action: after.action, target: after.target ?? null },
    max_attempts: 1,
  };
}
