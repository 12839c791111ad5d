import type { Ctx } from '../../platform/context.ts';
import { unseal } from '../../platform/secrets.ts';
import type { PushNotification } from '../../gateways/push.ts';
import { deviceById, isKeptOut, markDeviceGone } from './store-devices.ts';

// The system role: a person’s devices and presence are the same in all of their companies.

/**
 * Job: sends a push. Removes a device that no longer exists; throws when the service is down, so
 * that it is retried.
 */
export async function push(
  ctx: Ctx,
  job: { deviceId: number; note: PushNotification; key: string },
): Promise<void> {
  const device = await deviceById(ctx.db.unscoped, job.deviceId);
  if (!device || (await isKeptOut(ctx.db.unscoped, device, ctx.companyId))) return;
  const keys = device.keys_secret
    ? (JSON.parse(unseal(ctx.settings.appSecrets, device.keys_secret)) as {
        p256dh: string;
        auth: string;
      })
    : null;
  const note = await ctx.contactDetails.forPerson(
    ctx.db,
    ctx.companyId,
    device.person_id,
    job.note,
  );
  const result = await ctx.gateways.push.send(
    {
      personId: device.person_id,
      kind: device.kind,
      deviceId: device.device_id,
      token: device.token,
      bundleId: device.bundle_id,
      environment: device.environment,
      keys,
    },
    note,
    job.key,
  );
  if (result.state === 'gone')
    await ctx.db.systemTransaction((tx) => markDeviceGone(tx, device.id, ctx.now));
  if (result.state === 'refused')
    ctx.log.warn({ reason: result.reason, kind: device.kind }, 'a push was rejected');
  if (result.state === 'away')
    throw new Error(`The push service isn’t responding: ${result.reason}`);
}
