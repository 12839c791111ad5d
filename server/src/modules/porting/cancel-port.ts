import { porting as contract, type Answer } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { raiseAlarm } from './alarm.ts';
import { setPortStatus } from './set-port-status.ts';
import { presentPort } from './present.ts';
import { statusLabels } from './save-port.ts';
import { readPort, updatePortNumbers, type PortRecord } from './store.ts';
import { orderKey } from './submit-port.ts';

/**
 * Cancels a request. Once sending has started the carrier may have an order we don't know of, so it
 * is asked to cancel by our key; past the porting day it may be too late. An order that appears
 * afterwards is canceled by `cancelAtCarrier`. `port.not_now` when it is final already;
 * `carrier.unreachable` when the carrier can't be asked.
 */
export async function cancelPort(
  ctx: Ctx,
  id: number,
  reason: string | null,
): Promise<Answer<typeof contract.cancelPort>> {
  const row = await ctx.transaction(
    async (t) => (await readPort(t.tx, t.companyId, id)) ?? notFound(),
  );
  if (contract.isPortFinal(row.status)) fail('port.not_now', { status: statusLabels[row.status] });
  const wasSent = row.send_started_at !== null;
  if (wasSent) {
    const answer = await cancelOrder(ctx, row).catch((error: unknown) => {
      ctx.log.warn({ err: error, portId: id }, 'canceling a port failed');
      return fail('carrier.unreachable');
    });
    if (answer === 'too_late') fail('port.too_late');
  }
  const canceled = await ctx.transaction(async (t) => {
    const current = (await readPort(t.tx, t.companyId, id, true)) ?? notFound();
    if (contract.isPortFinal(current.status))
      fail('port.not_now', { status: statusLabels[current.status] });
    // Sending started after the check: the carrier has to be asked first.
    if (!wasSent && current.send_started_at !== null) return null;
    await setPortStatus(t, current, 'canceled', {
      canceled_at: t.now,
      cancel_reason: reason || null,
      documents_wanted: [],
    });
    await updatePortNumbers(t.tx, t.companyId, id, { status: 'canceled' });
    return { data: await presentPort(t, id) };
  });
  return canceled ?? cancelPort(ctx, id, reason);
}

const cancelOrder = (ctx: Ctx, row: PortRecord) =>
  ctx.gateways.carriers
    .porting(row.carrier ?? ctx.gateways.carriers.portingProvider.name)
    .cancel(orderKey(row.company_id, row.id));

/**
 * Cancels a canceled request's order at the carrier (a job). An order that can't be canceled raises
 * an alarm. Retried while the carrier is unavailable; running twice is harmless. Throws on all
 * attempts but the last, to be retried.
 */
export async function cancelAtCarrier(
  ctx: Ctx,
  { portId }: { portId: number },
  attempt: { last: boolean },
): Promise<void> {
  const row = await ctx.transaction((t) => readPort(t.tx, t.companyId, portId));
  if (row?.status !== 'canceled') return;
  let answer;
  try {
    answer = await cancelOrder(ctx, row);
  } catch (error) {
    if (!attempt.last) throw error;
    ctx.log.error(
      { err: error, portId },
      'an order of a canceled port could not be canceled at the carrier',
    );
    answer = 'unreachable';
  }
  if (answer === 'canceled' || answer === 'none') return;
  await ctx.transaction(async (t) => {
    const current = await readPort(t.tx, t.companyId, portId, true);
    if (current?.status === 'canceled') await raiseAlarm(t, current, 'still_moving');
  });
}
