import { calls as contract, type Answer, type Body, type EventData } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { createSipCredentials } from '../../identity/index.ts';
import { presenceState } from '../rules.ts';
import { pausesNow, shownStatus } from './pauses.ts';
import {
  callsOfPerson,
  deleteDevice,
  presenceOf,
  seeDevice,
  setWish,
  type PresenceRow,
} from './store-presence.ts';
import { joinToken } from './notify-phones.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * The signed-in user's presence. Throws calling.not_set_up without a role in the company (staff).
 */
async function ownPresence(ctx: Ctx): Promise<PresenceRow> {
  return (
    (await presenceOf(ctx.db, ctx.companyId, ctx.now, ctx.actor.userId))[0] ??
    fail('calling.not_set_up')
  );
}
/** Own presence; throws calling.not_set_up unless SIP address, password and user exist (A §1). */
export async function ownPresenceSetUp(ctx: Ctx): Promise<PresenceRow> {
  const person = await ownPresence(ctx);
  return person.set_up ? person : fail('calling.not_set_up');
}

/** A token with which this device's browser phone connects to our exchange. */
export async function callingToken(
  ctx: Ctx,
  body: Body<typeof contract.callingToken>,
): Promise<Answer<typeof contract.callingToken>> {
  const person = await ownPresenceSetUp(ctx);
  const device = body.device ?? `app-${ctx.actor.sessionId || ctx.actor.userId}`;
  const identity = `c${ctx.companyId}u${ctx.actor.userId}`;
  const token = await (ctx.gateways.carriers.exchange ?? ctx.gateways.voice)
    .createClientToken({ companyId: ctx.companyId, userId: ctx.actor.userId, identity, device })
    .catch(() => fail('carrier.unreachable'));
  await ctx.transaction((t) => seeDeviceAndPublish(t, device));
  return {
    data: {
      token: token.token,
      expires_at: token.expiresAt,
      provider: 'webrtc',
      url: token.url,
      ice_servers: token.iceServers,
      identity,
      device,
      status: presenceState({ ...person, devices: [device] }),
    },
  };
}

/** The company's users who can take calls in the app, with their status and devices. */
export async function listCallingUsers(
  ctx: Ctx,
): Promise<Answer<typeof contract.listCallingUsers>> {
  const people = await presenceOf(ctx.db, ctx.companyId, ctx.now);
  const pauses = await ctx.transaction((t) => pausesNow(t));
  return {
    data: people.map((p) => ({
      id: p.user_id,
      name: p.name,
      role: p.role as 'user',
      ...shownStatus(p, pauses.get(p.user_id)),
      devices: p.devices,
    })),
  };
}

/** Turns receiving calls in the app on or off. The first time creates SIP credentials (A24). */
export async function toggleCallingStatus(
  ctx: Ctx,
  body: Body<typeof contract.toggleCallingStatus>,
): Promise<Answer<typeof contract.toggleCallingStatus>> {
  const person = await ownPresence(ctx);
  if (!person.set_up)
    await ctx.db.systemTransaction((tx) =>
      createSipCredentials(
        tx,
        ctx.settings.appSecrets,
        { id: ctx.actor.userId },
        new URL(ctx.settings.publicUrl).hostname,
      ),
    );
  const status =
    body.status ?? (!person.set_up ? 'active' : person.wish === 'active' ? 'away' : 'active');
  await ctx.transaction(async (t) => {
    await setWish(t.tx, t.companyId, t.actor.userId, status, t.now);
    const data: EventData<typeof contract.inAppCalling> = {
      type: 'status',
      callId: null,
      joinToken: null,
      from: null,
      number: null,
      contact: null,
      expiresAt: null,
      companyId: t.companyId,
      leg: null,
      outbound: false,
      status,
      because: null,
    };
    await t.publish(contract.inAppCalling, data, { userId: t.actor.userId });
    await publishPresence(t);
  });
  return { data: { status } };
}

/**
 * The 15-second heartbeat of a device. Returns its user's ringing and active calls, so that a
 * reloaded page finds them again.
 */
export async function beatCalling(
  ctx: Ctx,
  body: Body<typeof contract.beatCalling>,
): Promise<Answer<typeof contract.beatCalling>> {
  const { companyId, actor } = ctx;
  const calls = await ctx.transaction(async (t) => {
    if (!body.leaving) await seeDeviceAndPublish(t, body.device);
    else if (await deleteDevice(t.tx, companyId, actor.userId, body.device))
      await publishPresence(t);
    return callsOfPerson(t.tx, companyId, actor.userId);
  });
  const person = await ownPresence(ctx);
  return {
    data: {
      status: presenceState(person),
      calls: calls.map((c) => ({
        callId: c.call_id,
        leg: c.leg,
        joinToken: joinToken(ctx.settings.appSecret, companyId, actor.userId, c.leg),
        state: c.answered_at ? ('answered' as const) : ('ringing' as const),
        outbound: c.outbound ? (1 as const) : (0 as const),
        from: c.from_number,
        to: c.to_number,
        number: { id: c.number_id, number: c.number, label: c.number_label },
        contact: c.contact_id ? { id: c.contact_id, name: c.contact_name ?? '' } : null,
        onHold: c.on_hold,
        startedAt: new Date(c.started_at).toISOString(),
        ...(c.role === 'monitor' ? { monitoring: true } : {}),
      })),
    },
  };
}

/** Tells the company's open screens that the acting user's calling status changed. */
export const publishPresence = (t: TxCtx) =>
  t.publish(contract.callingPresenceChanged, { companyId: t.companyId, userId: t.actor.userId });
/** Records a device's heartbeat; publishes presence only if the device was offline. */
async function seeDeviceAndPublish(t: TxCtx, device: string): Promise<void> {
  if (await seeDevice(t.tx, t.companyId, t.actor.userId, device, t.now)) await publishPresence(t);
}

/**
 * The users whose app can ring now: active, not on a call, with a device online or one that a push
 * can wake. Routing asks at call start.
 */
export async function reachableUsers(ctx: TxCtx): Promise<ReadonlySet<number>> {
  const canBeWoken = (p: PresenceRow) =>
    p.can_be_woken && p.set_up && p.wish === 'active' && !p.on_call;
  return new Set(
    (await presenceOf(ctx.db, ctx.companyId, ctx.now))
      .filter((p) => presenceState(p) === 'active' || canBeWoken(p))
      .map((p) => p.user_id),
  );
}
