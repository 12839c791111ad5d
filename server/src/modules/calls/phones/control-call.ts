import { calls as contract, type Answer } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import type { CallState, ScreenEvent } from '../../routing/index.ts';
import { performCommands } from '../runtime/perform-commands.ts';
import { presenceState } from '../rules.ts';
import { runCall } from '../runtime/run-call.ts';
import { visibleCall } from '../records/store.ts';
import { readLive } from '../runtime/store-live.ts';
import { legOfPerson, presenceOf } from './store-presence.ts';
import { joinToken, legOfJoinToken } from './notify-phones.ts';

/** Whether the user can still answer a call that rang them, and if not, why. */
export async function canAnswerCall(
  ctx: Ctx,
  callId: number,
): Promise<Answer<typeof contract.canAnswerCall>> {
  const no = (reason: 'answered' | 'ended' | 'not_invited' | 'no_sip' | 'away') => ({
    data: { can: false, reason, leg: null, joinToken: null },
  });
  const me = (await presenceOf(ctx.db, ctx.companyId, ctx.now, ctx.actor.userId))[0];
  const { live, leg } = await ctx.transaction(async (t) => ({
    live: await readLive(t.tx, t.companyId, callId),
    leg: await legOfPerson(t.tx, t.companyId, callId, t.actor.userId),
  }));
  if (!me?.set_up) return no('no_sip');
  if (!leg) return no(!live || live.ended ? 'ended' : 'not_invited');
  if (leg.answered_at || (leg.ended_at && live?.state.facts.connectedAt))
    return no(live && !live.ended ? 'answered' : 'ended');
  if (!live || live.ended || leg.ended_at || leg.state !== 'ringing') return no('ended');
  if (presenceState({ ...me, devices: [1] }) === 'away') return no('away');
  return {
    data: {
      can: true,
      reason: null,
      leg: leg.leg,
      joinToken: joinToken(ctx.settings.appSecret, ctx.companyId, ctx.actor.userId, leg.leg),
    },
  };
}

/**
 * Declines for this user only; the others keep ringing. `not_found` for another user's token;
 * `call.ended` once it is answered or over.
 */
export async function rejectCall(
  ctx: Ctx,
  callId: number,
  token: string,
): Promise<Answer<typeof contract.rejectCall>> {
  const leg =
    legOfJoinToken(ctx.settings.appSecrets, ctx.companyId, ctx.actor.userId, token) ?? notFound();
  const invited = await ctx.transaction((t) =>
    legOfPerson(t.tx, t.companyId, callId, t.actor.userId),
  );
  if (!invited || invited.leg !== leg) notFound();
  if (invited.ended_at || invited.answered_at) fail('call.ended');
  await applyScreenEvent(ctx, callId, { type: 'decline', userId: ctx.actor.userId });
  return { data: { rejected: true } };
}

type CallAnswer = Answer<typeof contract.holdCall>;
/** Puts the user's own call on hold or resumes it. */
export const holdCall = (ctx: Ctx, callId: number, on: boolean): Promise<CallAnswer> =>
  controlOwnLeg(ctx, callId, { type: 'hold', on });
/** Sends DTMF digits from the user's own leg. */
export const pressKeys = (ctx: Ctx, callId: number, digits: string): Promise<CallAnswer> =>
  controlOwnLeg(ctx, callId, { type: 'sendDigits', digits });
/** Hangs up the user's own leg. */
export const hangUpCall = (ctx: Ctx, callId: number): Promise<CallAnswer> =>
  controlOwnLeg(ctx, callId, { type: 'hangup', by: ctx.actor.userId });

/** Applies hold, DTMF or hangup; throws call.not_yours unless the user is on the call. */
async function controlOwnLeg(ctx: Ctx, callId: number, event: ScreenEvent): Promise<CallAnswer> {
  const { live, leg } = await ctx.transaction(async (t) => {
    const own = await legOfPerson(t.tx, t.companyId, callId, t.actor.userId);
    // A transfer may bring a user calls of numbers they are not assigned to.
    if (!own && !(await visibleCall(t.tx, t.companyId, callId, t.numbers))) notFound();
    return { live: await readLive(t.tx, t.companyId, callId), leg: own };
  });
  if (!live || live.ended) fail('call.ended');
  if (!leg || leg.ended_at || (!leg.answered_at && event.type !== 'hangup'))
    fail(leg?.ended_at ? 'call.ended' : 'call.not_yours');
  return { data: { state: callAnswer(await applyScreenEvent(ctx, callId, event)) } };
}

/** Applies the event and performs its commands first, so that the answer shows their effect. */
async function applyScreenEvent(ctx: Ctx, callId: number, event: ScreenEvent): Promise<CallState> {
  const result = await ctx.transaction((t) => runCall(t, callId, [event]));
  if (!result) fail('call.ended');
  await performCommands(ctx, { companyId: ctx.companyId, callId });
  return result.state;
}

function callAnswer(state: CallState): CallAnswer['data']['state'] {
  if (state.outcome || state.phase.name === 'over') return 'ended';
  if (state.phase.name === 'connected') return state.phase.held ? 'held' : 'connected';
  return 'ringing';
}
