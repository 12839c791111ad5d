import type { Answer, live as contract } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import type { TransferEvent, ScreenEvent } from '../../routing/index.ts';
import { performCommands } from '../runtime/perform-commands.ts';
import { ownPresenceSetUp } from '../phones/presence.ts';
import { runCall } from '../runtime/run-call.ts';
import { visibleCall } from '../records/store.ts';
import { legOfPerson } from '../phones/store-presence.ts';
import { joinToken } from '../phones/notify-phones.ts';
import { appTarget, resolveDestination, type Destination } from './destinations.ts';
import { supportsRooms, presentLive } from './present.ts';
import { liveCalls, claimSlot, type LiveCallRow } from './store.ts';

/** A parked call rings the user who parked it after this long. Seconds. */
const PARK_SECONDS = 300;

type TransferAnswer = Answer<typeof contract.transferCall>;
type BuildEvent = (t: TxCtx, row: LiveCallRow) => TransferEvent | Promise<TransferEvent>;

/**
 * Transfers a call of the user's. `ask` talks to the destination first, with the other party on
 * hold.
 */
export const transferCall = (
  ctx: Ctx,
  id: number,
  to: Destination & { ask: boolean },
): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, async (t, row) => ({
    type: 'transfer',
    by: t.actor.userId,
    to: await resolveDestination(t, row, to, !to.ask),
    ask: to.ask,
  }));
/** Connects the two others of a consultation and leaves the call. */
export const completeTransfer = (ctx: Ctx, id: number): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, (t) => ({ type: 'completeTransfer', by: t.actor.userId }));
/** Ends the consultation and returns to the party on hold. */
export const cancelTransfer = (ctx: Ctx, id: number): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, (t) => ({ type: 'cancelTransfer', by: t.actor.userId }));
/** Switches between the party on hold and the destination. */
export const swapTransfer = (ctx: Ctx, id: number): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, (t) => ({ type: 'swap', by: t.actor.userId }));
/** Makes a conference of all three. Fails where the carrier has no conference rooms. */
export const mergeTransfer = (ctx: Ctx, id: number): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, (t, row) => requireRooms(t, row, { type: 'merge', by: t.actor.userId }));
/** Removes a participant from a conference. */
export const removeFromCall = (ctx: Ctx, id: number, leg: string): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, (t) => ({ type: 'remove', by: t.actor.userId, leg }));

/**
 * Calls another participant into a running call. `not_found` for a destination that isn't one
 * person or number.
 */
export const addToCall = (ctx: Ctx, id: number, to: Destination): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, async (t, row) => {
    const found = await resolveDestination(t, row, to, false);
    return requireRooms(t, row, {
      type: 'add',
      by: t.actor.userId,
      target: found.kind === 'target' ? found.target : notFound(),
    });
  });

/**
 * Parks a call in the wanted slot (1 to 99), or in the first free one. `call.slot_taken` when it is
 * occupied or all are.
 */
export const parkCall = (
  ctx: Ctx,
  id: number,
  wanted: number | undefined,
): Promise<TransferAnswer> =>
  applyTransfer(ctx, id, async (t) => {
    const slot =
      (await claimSlot(
        t.tx,
        t.companyId,
        id,
        wanted,
        new Date(t.now.getTime() + PARK_SECONDS * 1000),
      )) ?? fail('call.slot_taken', { slot: wanted ?? '1 to 99' });
    return { type: 'park', by: t.actor.userId, slot, seconds: PARK_SECONDS };
  });

/**
 * A user retrieves a parked call: their own device rings and answers automatically. `calling.busy`
 * when the user is on a call.
 */
export async function unparkCall(
  ctx: Ctx,
  id: number,
  device: string | undefined,
): Promise<Answer<typeof contract.unparkCall>> {
  const me = await ownPresenceSetUp(ctx);
  if (me.on_call) fail('calling.busy');
  return {
    data: await ringOwnDevice(ctx, id, (row) => ({
      type: 'unpark',
      target: appTarget(ctx.companyId, row, ctx.actor.userId, me.name, device),
    })),
  };
}

const requireRooms = (t: TxCtx, row: LiveCallRow, event: TransferEvent): TransferEvent =>
  supportsRooms(t, row.carrier) ? event : fail('call.cannot');

/** Applies a transfer event of a user who is on the call. Throws when it does not apply now. */
async function applyTransfer(
  ctx: Ctx,
  id: number,
  buildEvent: BuildEvent,
): Promise<TransferAnswer> {
  const after = await ctx.transaction(async (t) => {
    const own = await legOfPerson(t.tx, t.companyId, id, t.actor.userId);
    if (!own && !(await visibleCall(t.tx, t.companyId, id, t.numbers))) notFound();
    const row = (await liveCalls(t.tx, t.companyId, null, { id }))[0] ?? fail('call.ended');
    if (!own || own.ended_at || own.state === 'leaving' || !own.answered_at) fail('call.not_yours');
    const state = await applyScreenEvent(t, id, await buildEvent(t, row));
    return { ...row, state };
  });
  await performCommands(ctx, { companyId: ctx.companyId, callId: id });
  return { data: presentLive(ctx, after) };
}

/** Applies an event to the call; throws call.ended, or call.not_now when it changed nothing. */
export async function applyScreenEvent(t: TxCtx, id: number, event: ScreenEvent) {
  const result = await runCall(t, id, [event]);
  if (!result) fail('call.ended');
  if (!result.changed) fail('call.not_now');
  return result.state;
}

/** Rings the user's own device into a running call and returns its leg. */
export async function ringOwnDevice(
  ctx: Ctx,
  id: number,
  event: (row: LiveCallRow) => TransferEvent,
  also: (t: TxCtx) => Promise<void> = async () => {},
): Promise<{ call_id: number; leg: string; token: string }> {
  const { userId } = ctx.actor;
  const leg = await ctx.transaction(async (t) => {
    if (!(await visibleCall(t.tx, t.companyId, id, t.numbers))) notFound();
    const row = (await liveCalls(t.tx, t.companyId, t.numbers, { id }))[0] ?? fail('call.ended');
    const state = await applyScreenEvent(t, id, event(row));
    await also(t);
    return (
      state.legs.findLast(
        (one) =>
          one.target?.to.kind === 'app' && one.target.to.userId === userId && one.endedAt === null,
      )?.id ?? fail('call.not_now')
    );
  });
  await performCommands(ctx, { companyId: ctx.companyId, callId: id });
  return { call_id: id, leg, token: joinToken(ctx.settings.appSecret, ctx.companyId, userId, leg) };
}
