import type { Answer, Body, EventData, identity, notifications as contract } from '#contract';
import type { Http } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { seal } from '../../platform/secrets.ts';
import { refreshNotificationTargets } from './notification-targets.ts';
import { endpointProblem } from './rules.ts';
import {
  upsertDevice,
  removeDevicesBySession,
  removeWebDevice,
  type DeviceRow,
} from './store-devices.ts';

// The system role: a person’s devices and presence are the same in all of their companies.

const presentDevice = (d: DeviceRow) => ({
  id: d.id,
  kind: d.kind,
  device_id: d.device_id,
  created_at: d.created_at.toISOString(),
});
const deviceDetails = (ctx: Ctx, http: Http) => ({
  person_id: ctx.actor.userId,
  session_id: ctx.actor.sessionId || null,
  user_agent: http.request.headers['user-agent']?.slice(0, 300) ?? null,
  at: ctx.now,
});

/** Registers an iPhone for calls by APNs VoIP push; again, it updates the device. */
export async function registerApnsDevice(
  ctx: Ctx,
  body: Body<typeof contract.registerApnsDevice>,
  http: Http,
): Promise<Answer<typeof contract.registerApnsDevice>> {
  const row = await ctx.db.systemTransaction((tx) =>
    upsertDevice(tx, {
      ...deviceDetails(ctx, http),
      kind: 'apns_voip',
      device_id: body.device_id,
      token: body.token.toLowerCase(),
      bundle_id: body.bundle_id,
      environment: body.environment,
      keys_secret: null,
    }),
  );
  await refreshNotificationTargets(ctx.db);
  return { data: presentDevice(row) };
}

/**
 * Registers a browser for pushes. Fails with 422 unless the endpoint is a known push service: we
 * post to no other address.
 */
export async function subscribeWebPush(
  ctx: Ctx,
  body: Body<typeof contract.subscribeWebPush>,
  http: Http,
): Promise<Answer<typeof contract.subscribeWebPush>> {
  if (endpointProblem(body.endpoint)) invalid({ endpoint: 'This push service isn’t supported.' });
  if (
    Buffer.from(body.keys.p256dh, 'base64url').length !== 65 ||
    Buffer.from(body.keys.auth, 'base64url').length < 16
  )
    invalid({ keys: 'These keys don’t belong to a push subscription.' });
  const row = await ctx.db.systemTransaction((tx) =>
    upsertDevice(tx, {
      ...deviceDetails(ctx, http),
      kind: 'web',
      device_id: new URL(body.endpoint).hostname,
      token: body.endpoint,
      bundle_id: null,
      environment: null,
      keys_secret: seal(ctx.settings.appSecrets, JSON.stringify(body.keys)),
    }),
  );
  await refreshNotificationTargets(ctx.db);
  return { data: presentDevice(row) };
}
/** Ends web push to this browser; unknown ones are ignored. */
export async function unsubscribeWebPush(
  ctx: Ctx,
  body: Body<typeof contract.unsubscribeWebPush>,
): Promise<void> {
  await ctx.transaction(({ tx }) => removeWebDevice(tx, ctx.actor.userId, body.endpoint));
}
/** The public VAPID key (RFC 8292) with which browsers subscribe. */
export const webPushKey = async (ctx: Ctx): Promise<Answer<typeof contract.webPushKey>> => ({
  data: { key: ctx.gateways.push.publicKey, simulated: ctx.gateways.push.name === 'sandbox' },
});

/** Removes the devices of ended sessions (A24). */
export async function removeDevicesOfSessions(
  ctx: TxCtx,
  event: EventData<typeof identity.sessionRevoked>,
): Promise<void> {
  if (event.sessionIds.length)
    await ctx.db.systemTransaction((tx) => removeDevicesBySession(tx, event.sessionIds));
}
