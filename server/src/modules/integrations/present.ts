import type { Answer, integrations as contract } from '#contract';
import { accessTo, numbersIn } from '../../platform/access.ts';
import type { TxCtx } from '../../platform/context.ts';
import type { DestinationRow } from './store.ts';
import { countsSince, type DeliveryRow } from './store-deliveries.ts';

type Delivery = Answer<typeof contract.replayDelivery>['data'];
const iso = (at: Date): string => at.toISOString();
const isoOrNull = (at: Date | null): string | null => at && iso(at);
const COUNTED_MS = 30 * 86_400_000;

/** A delivery as the API returns it. */
export const presentDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  destination_id: row.destination_id,
  // Check constraints and the contract's own values of the columns.
  event: row.event as Delivery['event'],
  entity: { type: row.subject_type as 'call' | 'item', id: row.subject_id },
  state: row.state as Delivery['state'],
  corrects: row.corrects,
  attempts: row.attempts,
  request_redacted: row.request_redacted,
  response_code: row.response_code,
  response_excerpt: row.response_excerpt,
  error: row.error,
  dedupe_key: row.dedupe_key,
  happened_at: iso(row.happened_at),
  created_at: iso(row.created_at),
  sent_at: isoOrNull(row.sent_at),
  next_try_at: row.state === 'queued' || row.state === 'failed' ? iso(row.next_try_at) : null,
});

/** The numbers whose calls the person can see; null: all. */
export function visibleNumbers(t: TxCtx): readonly number[] | null {
  const access = accessTo(t.actor, t.companyId);
  return access ? numbersIn(access, t.may('calls.view')) : t.numbers;
}
/** Those of these numbers that the person can see. */
export function visibleIds(t: TxCtx, ids: readonly number[]): number[] {
  const numbers = visibleNumbers(t);
  return ids.filter((id) => numbers?.includes(id) !== false);
}

/** How destinations are doing, by their ID: the counts are of 30 days. */
export async function healthOf(t: TxCtx, rows: readonly DestinationRow[]) {
  const counts = await countsSince(
    t.tx,
    t.companyId,
    rows.map(({ id }) => id),
    new Date(t.now.getTime() - COUNTED_MS),
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        last_sent_at: isoOrNull(row.last_sent_at),
        last_error:
          row.last_error !== null && row.last_error_at
            ? { at: iso(row.last_error_at), text: row.last_error }
            : null,
        sent_30d: counts.get(row.id)?.sent ?? 0,
        failed_30d: counts.get(row.id)?.failed ?? 0,
      },
    ]),
  );
}
