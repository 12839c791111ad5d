import type { Answer, live as contract } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import type { PassEvent, ScreenEvent } from '../../routing/index.ts';
import { performCommands } from '../perform-commands.ts';
import { mineSetUp } from '../presence.ts';
import { runCall } from '../run-call.ts';
import { callSeen } from '../store.ts';
import { legOfPerson } from '../store-presence.ts';
import { joinToken } from '../tell-phones.ts';
import { appTarget, destinationOf, type Destination } from './destinations.ts';
import { canJoin, presentLive } from './present.ts';
import { liveCalls, takeSlot, type LiveSeen } from './store.ts';

/** A parked call comes back to whoever parked it after this long. Seconds. */
export const PARK_SECONDS = 300;

type Passed = Answer<typeof contract.transferCall>;
type Asked = (t: TxCtx, row: LiveSeen) => PassEvent | Promise<PassEvent>;

export const transferCall = (
  ctx: Ctx,
  id: number,
  to: Destination & { ask: boolean },
): Promise<Passed> =>
  pass(ctx, id, async (t, row) => ({
    type: 'transfer',
    by: t.actor.userId,
    to: await destinationOf(t, row, to),
    ask: to.ask,
  }));
export const completeTransfer = (ctx: Ctx, id: number): Promise<Passed> =>
  pass(ctx, id, (t) => ({ type: 'completeTransfer', by: t.actor.userId }));
export const cancelTransfer = (ctx: Ctx, id: number): Promise<Passed> =>
  pass(ctx, id, (t) => ({ type: 'cancelTransfer', by: t.actor.userId }));
export const swapTransfer = (ctx: Ctx, id: number): Promise<Passed> =>
  pass(ctx, id, (t) => ({ type: 'swap', by: t.actor.userId }));
export const mergeTransfer = (ctx: Ctx, id: number): Promise<Passed> =>
  pass(ctx, id, (t, row) => rooms(t, row, { type: 'merge', by: t.actor.userId }));
export const removeFromCall = (ctx: Ctx, id: number, leg: string): Promise<Passed> =>
  pass(ctx, id, (t) => ({ type: 'remove', by: t.actor.userId, leg }));

export const addToCall = (ctx: Ctx, id: number, to: Destination): Promise<Passed> =>
  pass(ctx, id, async (t, row) => {
    const found = await destinationOf(t, row, to);
    return rooms(t, row, {
      type: 'add',
      by: t.actor.userId,
      target: found.kind === 'target' ? found.target : missing(),
    });
  });

export const parkCall = (ctx: Ctx, id: number, wanted: number | undefined): Promise<Passed> =>
  pass(ctx, id, async (t) => {
    const slot =
      (await takeSlot(
        t.tx,
        t.companyId,
        id,
        wanted,
        new Date(t.now.getTime() + PARK_SECONDS * 1000),
      )) ?? refuse('call.slot_taken', { slot: wanted ?? '1 to 99' });
    return { type: 'park', by: t.actor.userId, slot, seconds: PARK_SECONDS };
  });

/** Whoever may answer calls of the number takes it: their own device rings, and answers itself. */
export async function unparkCall(
  ctx: Ctx,
  id: number,
  device: string | undefined,
): Promise<Answer<typeof contract.unparkCall>> {
  const me = await mineSetUp(ctx);
  if (me.on_call) refuse('calling.busy');
  return {
    data: await bringIn(ctx, id, (row) => ({
      type: 'unpark',
      target: appTarget(ctx.companyId, row, ctx.actor.userId, me.name, device),
    })),
  };
}

const rooms = (t: TxCtx, row: LiveSeen, event: PassEvent): PassEvent =>
  canJoin(t, row.carrier) ? event : refuse('call.cannot');

/** Let it happen in the engine for somebody who is in the call; refused, with nothing changed, when it makes no sense now. */
async function pass(ctx: Ctx, id: number, asked: Asked): Promise<Passed> {
  const after = await ctx.transaction(async (t) => {
    const own = await legOfPerson(t.tx, t.companyId, id, t.actor.userId);
    if (!own && !(await callSeen(t.tx, t.companyId, id, t.numbers))) missing();
    const row = (await liveCalls(t.tx, t.companyId, null, { id }))[0] ?? refuse('call.ended');
    if (!own || own.ended_at || own.state === 'leaving' || !own.answered_at)
      refuse('call.not_yours');
    const state = await happen(t, id, await asked(t, row));
    return { ...row, state };
  });
  await performCommands(ctx, { companyId: ctx.companyId, callId: id });
  return { data: presentLive(ctx, after) };
}

export async function happen(t: TxCtx, id: number, event: ScreenEvent) {
  const ran = await runCall(t, id, [event]);
  if (!ran) refuse('call.ended');
  if (!ran.changed) refuse('call.not_now');
  return ran.state;
}

/** Ring one's own device into a running call, and say which line it is. */
export async function bringIn(
  ctx: Ctx,
  id: number,
  event: (row: LiveSeen) => PassEvent,
  also: (t: TxCtx) => Promise<void> = async () => {},
): Promise<{ call_id: number; leg: string; token: string }> {
  const { userId } = ctx.actor;
  const leg = await ctx.transaction(async (t) => {
    if (!(await callSeen(t.tx, t.companyId, id, t.numbers))) missing();
    const row = (await liveCalls(t.tx, t.companyId, t.numbers, { id }))[0] ?? refuse('call.ended');
    const state = await happen(t, id, event(row));
    await also(t);
    return (
      state.legs.findLast(
        (one) =>
          one.target?.to.kind === 'app' && one.target.to.userId === userId && one.endedAt === null,
      )?.id ?? refuse('call.not_now')
    );
  });
  await performCommands(ctx, { companyId: ctx.companyId, callId: id });
  return { call_id: id, leg, token: joinToken(ctx.settings.appSecret, ctx.companyId, userId, leg) };
}
