import type { Answer, live as contract } from '#contract';
import type { MonitorMode } from '#contract/calls/live/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { performCommands } from '../runtime/perform-commands.ts';
import { ownPresenceSetUp } from '../phones/presence.ts';
import { visibleCall } from '../records/store.ts';
import { appTarget } from './destinations.ts';
import { ringOwnDevice, applyScreenEvent } from './transfer-call.ts';
import { supportsRooms } from './present.ts';
import { liveCalls } from './store.ts';

/**
 * A supervisor listens, whispers or barges in. Enters the audit log in the same transaction.
 * `call.cannot` at a carrier without conference rooms; `calling.busy` when the supervisor is on a
 * call.
 */
export async function monitorCall(
  ctx: Ctx,
  id: number,
  mode: MonitorMode,
  device: string | undefined,
): Promise<Answer<typeof contract.monitorCall>> {
  const me = await ownPresenceSetUp(ctx);
  const row = await ctx.transaction(
    async (t) => (await liveCalls(t.tx, t.companyId, t.numbers, { id }))[0],
  );
  const ownMonitor = row?.state.monitors?.some((one) => one.userId === ctx.actor.userId) ?? false;
  if (row && !supportsRooms(ctx, row.carrier)) fail('call.cannot');
  // A supervisor can be on one call at a time.
  if (me.on_call && !ownMonitor) fail('calling.busy');
  const legId = await ringOwnDevice(
    ctx,
    id,
    (seen) => ({
      type: 'monitor',
      target: appTarget(ctx.companyId, seen, ctx.actor.userId, me.name, device),
      mode,
    }),
    (t) => audit(t, 'call.monitored', `call:${id}`, { after: { mode } }),
  );
  return { data: { ...legId, mode } };
}

/** A supervisor leaves the call; enters the audit log. */
export async function stopMonitoring(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.stopMonitoring>> {
  await ctx.transaction(async (t) => {
    if (!(await visibleCall(t.tx, t.companyId, id, t.numbers))) notFound();
    await applyScreenEvent(t, id, { type: 'stopMonitor', userId: t.actor.userId });
    await audit(t, 'call.monitoring_ended', `call:${id}`);
  });
  await performCommands(ctx, { companyId: ctx.companyId, callId: id });
  return { data: { stopped: true } };
}
