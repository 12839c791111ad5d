import { deliveryRule } from '#contract/integrations/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { allDestinations } from '../store.ts';
import { insertDelivery, lockDeliveriesOfCall, type DeliveryRow } from '../store-deliveries.ts';

/** What changed in a call and makes a receiver that counts it ask again. */
export const correctable: ReadonlySet<string> = new Set([
  ...['qualified', 'lead', 'outcome_tags', 'department', 'value_cents', 'spam'],
]);

/**
 * Queues a correction of everything that was told about a call, for receivers that take corrections. What
 * is told, and whether anything is, is known when it's sent. Run again, it queues nothing.
 * @param seq the event's place among all events
 */
export async function correct(t: TxCtx, callId: number, seq: number): Promise<void> {
  const rows = await lockDeliveriesOfCall(t.tx, t.companyId, callId);
  if (rows.length === 0) return;
  const destinations = new Map(
    (await allDestinations(t.tx, t.companyId)).map((one) => [one.id, one]),
  );
  for (const root of rows.filter((row) => row.corrects === null)) {
    const destination = destinations.get(root.destination_id);
    const kind = destination && t.gateways.destinations.get(destination.provider);
    if (!kind?.corrects || destination?.status !== 'active') continue;
    const own = rows.filter((row) => row.id === root.id || row.corrects === root.id);
    // One of this event or a later one knows of it. One that waits reads the call when it is sent; one
    // that a worker has may have read it before.
    const isKnown = own.some(
      (row) =>
        row.event_seq >= seq ||
        ((row.state === 'queued' || row.state === 'failed') &&
          !(row.claimed_until && row.claimed_until > t.clock())),
    );
    if (!isKnown) await queue(t, root, seq);
  }
}

async function queue(t: TxCtx, root: DeliveryRow, seq: number): Promise<void> {
  const { delay_minutes: delay } = deliveryRule.parse(root.rule);
  // Who changes their mind meanwhile leaves no trace there.
  const dueAt = new Date(t.clock().getTime() + delay * 60_000);
  await insertDelivery(t.tx, {
    ...{ company_id: t.companyId, destination_id: root.destination_id, corrects: root.id },
    ...{ event: root.event, subject_type: root.subject_type, subject_id: root.subject_id },
    ...{ number_id: root.number_id, rule: JSON.stringify(root.rule) },
    dedupe_key: `${root.dedupe_key}:${seq}`,
    ...{ thread_root: root.thread_root, order_key: root.order_key, event_seq: seq },
    ...{ next_try_at: dueAt, happened_at: root.happened_at, created_at: t.clock() },
  });
}
