import { porting as contract, type Answer } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { raiseAlarm } from './alarm.ts';
import { movePort } from './move-port.ts';
import { presentPort } from './present.ts';
import { statusWord } from './save-port.ts';
import { readPort, setNumbers, type PortRecord } from './store.ts';
import { orderKey } from './submit-port.ts';

/**
 * Call a request off. Once it has begun to leave, the carrier may have an order although we know of none, so it is asked to
 * cancel by our key: past the day it may be too late. An order that appears afterwards is canceled by `cancelAtCarrier`.
 */
export async function cancelPort(
  ctx: Ctx,
  id: number,
  reason: string | null,
): Promise<Answer<typeof contract.cancelPort>> {
  const row = await ctx.transaction(
    async (t) => (await readPort(t.tx, t.companyId, id)) ?? missing(),
  );
  if (contract.portIsOver(row.status)) refuse('port.not_now', { status: statusWord[row.status] });
  const asked = row.send_begun_at !== null;
  if (asked) {
    const answer = await atCarrier(ctx, row).catch((error: unknown) => {
      ctx.log.warn({ err: error, portId: id }, 'canceling a port failed');
      return refuse('carrier.unreachable');
    });
    if (answer === 'too_late') refuse('port.too_late');
  }
  const done = await ctx.transaction(async (t) => {
    const now = (await readPort(t.tx, t.companyId, id, true)) ?? missing();
    if (contract.portIsOver(now.status)) refuse('port.not_now', { status: statusWord[now.status] });
    // It began to leave between the question and now: the carrier has to be asked first.
    if (!asked && now.send_begun_at !== null) return null;
    await movePort(t, now, 'canceled', {
      canceled_at: t.now,
      cancel_reason: reason || null,
      documents_wanted: [],
    });
    await setNumbers(t.tx, t.companyId, id, { status: 'canceled' });
    return { data: await presentPort(t, id) };
  });
  return done ?? cancelPort(ctx, id, reason);
}

const atCarrier = (ctx: Ctx, row: PortRecord) =>
  ctx.ports.carriers
    .porting(row.carrier ?? ctx.ports.carriers.porter.name)
    .cancel(orderKey(row.company_id, row.id));

/**
 * A canceled request of which the carrier has an order after all: cancel that, too. What cannot be canceled raises an alarm.
 * A job, tried again while the carrier is away; running twice is harmless.
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
    answer = await atCarrier(ctx, row);
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
    const now = await readPort(t.tx, t.companyId, portId, true);
    if (now?.status === 'canceled') await raiseAlarm(t, now, 'still_moving');
  });
}
