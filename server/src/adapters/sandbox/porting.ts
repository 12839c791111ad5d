/** The sandbox as gaining and losing carrier of port orders (table `sandbox.port`). */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { CarrierWebhook } from '../../gateways/carrier.ts';
import type { PortOrder, PortReport, PortState, PortingCarrier } from '../../gateways/porting.ts';
import {
  losingCarrierOf,
  rejectedSuffix,
  secondsPerState,
  unportableReason,
} from './porting-rules.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';
import { isSignedBy, parseJson } from './webhook.ts';

// The system role: the simulated carrier’s own tables have no company.

export interface PortRow {
  ref: string;
  key: string;
  order: Omit<PortOrder, 'documents'>;
  documents: string[];
  state: PortState;
  seq: number;
  foc_date: string | null;
  wanted: PortReport['wanted'];
  rejection: PortReport['rejection'];
  advances_at: Date | null;
  delivered_seq: number;
}
/** A port order's row as the carrier would report it. */
export const toPortReport = (row: PortRow): PortReport => ({
  ref: row.ref,
  key: row.key,
  state: row.state,
  seq: row.seq,
  focDate: row.foc_date,
  wanted: row.wanted,
  rejection: row.rejection,
});
/** Queues the order's next state, unless it has left `seq` by then. */
export const queueAdvance = (tx: Tx, ref: string, seq: number, afterSeconds: number) =>
  sql`select enqueue_job('sandbox.advancePort', ${JSON.stringify({ ref, seq })}::json, null,
      clock_timestamp() + make_interval(secs => ${afterSeconds}), 25,
      ${`sandbox.movePort:${ref}`}, null)`.execute(tx);

/** Throws while the carrier is in an outage, and at random by the error rate. */
function maybeFail(): void {
  if (currentFaults().outage) throw new Error('the sandbox is offline (503)');
  if (shouldFail(currentFaults().errorRate)) throw new Error('the sandbox answered 500');
}

/** The sandbox as porting carrier; account numbers with the rejected suffix are refused. */
export function sandboxPorting(db: Pick<Db, 'unscoped' | 'systemTransaction'>): PortingCarrier {
  const rowOf = async (tx: Tx, key: string) =>
    (await sql<PortRow>`select * from sandbox.port where key = ${key}`.execute(tx)).rows[0];
  return {
    name: 'sandbox',
    async checkPortability(numbers) {
      maybeFail();
      return numbers.map((number) => ({
        number,
        portable: unportableReason(number) === null,
        reason: unportableReason(number),
        losingCarrier: losingCarrierOf(number),
      }));
    },
    async submit({ documents, ...order }) {
      maybeFail();
      if (order.accountNumber.endsWith(rejectedSuffix))
        return {
          refused: {
            code: 'account_mismatch',
            text: 'The carrier doesn’t recognize the account number.',
            fix: 'Enter the account number as shown on the bill and submit again.',
          },
        };
      const ref = `sbp-${createHash('sha256').update(order.key).digest('hex').slice(0, 12)}`;
      const kinds = documents.map((p) => p.kind);
      await db.systemTransaction(async (tx) => {
        const inserted = await sql`insert into sandbox.port (ref, key, "order", documents, state,
              advances_at, delivered_seq)
            values (${ref}, ${order.key}, ${JSON.stringify(order)}::jsonb, ${kinds}::text[],
              'submitted', clock_timestamp() + make_interval(secs => ${secondsPerState}), 1)
            on conflict (ref) do nothing returning 1`.execute(tx);
        if (inserted.rows.length) return void (await queueAdvance(tx, ref, 1, secondsPerState));
        // A known order was amended. One that waited for its customer is processed again.
        const amended = await sql<{
          seq: number;
        }>`update sandbox.port set "order" = ${JSON.stringify(order)}::jsonb,
          documents = ${kinds}::text[], state = 'submitted', seq = seq + 1, delivered_seq = seq + 1,
          wanted = '{}', rejection = null,
          advances_at = clock_timestamp() + make_interval(secs => ${secondsPerState})
          where ref = ${ref} and state in ('documentsRequested', 'rejected') returning seq`.execute(
          tx,
        );
        if (amended.rows[0]) await queueAdvance(tx, ref, amended.rows[0].seq, secondsPerState);
      });
      if (shouldFail(currentFaults().dropAfterEffectRate))
        throw new Error('the sandbox disconnected after accepting the order');
      return { ref };
    },
    async cancel(key) {
      maybeFail();
      const { rows } = await sql`update sandbox.port
          set state = 'canceled', seq = seq + 1, delivered_seq = seq + 1, advances_at = null
          where key = ${key} and state <> 'completed' returning 1`.execute(db.unscoped);
      return rows.length ? 'canceled' : (await rowOf(db.unscoped, key)) ? 'too_late' : 'none';
    },
    async getOrder(key) {
      maybeFail();
      const row = await rowOf(db.unscoped, key);
      return row ? toPortReport(row) : null;
    },
  };
}

/** Receives the sandbox's reports on port orders. */
export const portWebhook = (secret: string): CarrierWebhook => ({
  path: '/carriers/sandbox/ports',
  handle: async ({ body, headers }, sink) => {
    if (!isSignedBy(secret, body, headers)) return { status: 403 };
    await sink.onPortReports((parseJson(body) as { ports: PortReport[] }).ports);
    return { status: 204 };
  },
});
