import { calls as contract, type Answer } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import type { CallState, ScreenEvent } from '../routing/index.ts';
import { performCommands } from './perform-commands.ts';
import { presenceNow } from './rules.ts';
import { runCall } from './run-call.ts';
import { callSeen } from './store.ts';
import { readLive } from './store-live.ts';
import { legOfPerson, presenceOf } from './store-presence.ts';
import { joinToken, legOfJoinToken } from './tell-phones.ts';

/** May this person still answer the call that rang at them? */
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
  if (!leg) return no(!live || live.over ? 'ended' : 'not_invited');
  if (leg.answered_at || (leg.ended_at && live?.state.facts.connectedAt))
    return no(live && !live.over ? 'answered' : 'ended');
  if (!live || live.over || leg.ended_at || leg.state !== 'ringing') return no('ended');
  if (presenceNow({ ...me, devices: [1] }) === 'away') return no('away');
  return {
    data: {
      can: true,
      reason: null,
      leg: leg.leg,
      joinToken: joinToken(ctx.settings.appSecret, ctx.companyId, ctx.actor.userId, leg.leg),
    },
  };
}

/** Decline for this person only: the others ring on. A token that is not theirs finds nothing. */
export async function rejectCall(
  ctx: Ctx,
  callId: number,
  token: string,
): Promise<Answer<typeof contract.rejectCall>> {
  const leg =
    legOfJoinToken(ctx.settings.appSecret, ctx.companyId, ctx.actor.userId, token) ?? missing();
  const own = await ctx.transaction((t) => legOfPerson(t.tx, t.companyId, callId, t.actor.userId));
  if (own?.leg !== leg) missing();
  if (own!.ended_at || own!.answered_at) refuse('call.ended');
  await act(ctx, callId, { type: 'decline', userId: ctx.actor.userId });
  return { data: { rejected: true } };
}

type Acted = Answer<typeof contract.holdCall>;
export const holdCall = (ctx: Ctx, callId: number, on: boolean): Promise<Acted> =>
  control(ctx, callId, { type: 'hold', on });
export const pressKeys = (ctx: Ctx, callId: number, digits: string): Promise<Acted> =>
  control(ctx, callId, { type: 'sendDigits', digits });
export const hangUpCall = (ctx: Ctx, callId: number): Promise<Acted> =>
  control(ctx, callId, { type: 'hangup', by: ctx.actor.userId });

/** Hold, keys and hang-up are for whoever is in the call. */
async function control(ctx: Ctx, callId: number, event: ScreenEvent): Promise<Acted> {
  const { live, leg } = await ctx.transaction(async (t) => {
    const own = await legOfPerson(t.tx, t.companyId, callId, t.actor.userId);
    // A call of a number one is not assigned to may have been passed on to one.
    if (!own && !(await callSeen(t.tx, t.companyId, callId, t.numbers))) missing();
    return { live: await readLive(t.tx, t.companyId, callId), leg: own };
  });
  if (!live || live.over) refuse('call.ended');
  if (!leg || leg.ended_at || (!leg.answered_at && event.type !== 'hangup'))
    refuse(leg?.ended_at ? 'call.ended' : 'call.not_yours');
  return { data: { state: stateOf(await act(ctx, callId, event)) } };
}

/** Let it happen in the engine, and perform what follows before answering, so that the screen shows what is so. */
async function act(ctx: Ctx, callId: number, event: ScreenEvent): Promise<CallState> {
  const ran = await ctx.transaction((t) => runCall(t, callId, [event]));
  if (!ran) refuse('call.ended');
  await performCommands(ctx, { companyId: ctx.companyId, callId });
  return ran.state;
}

function stateOf(state: CallState): Acted['data']['state'] {
  if (state.outcome || state.phase.name === 'over') return 'ended';
  if (state.phase.name === 'connected') return state.phase.held ? 'held' : 'connected';
  return 'ringing';
}
