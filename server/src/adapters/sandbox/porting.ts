/** The sandbox as the carrier that takes numbers over, and the losing carrier with it. Its book is `sandbox.port`. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { CarrierWebhook } from '../../ports/carrier.ts';
import type { PortOrder, PortReport, PortState, PortingCarrier } from '../../ports/porting.ts';
import { carrierOf, refusedAtOnce, secondsAState, whyKeptBack } from './porting-rules.ts';
import { trouble, unlucky } from './trouble.ts';
import { isSignedBy, jsonOf } from './webhook.ts';

export interface PortRow {
  ref: string;
  key: string;
  order: Omit<PortOrder, 'papers'>;
  papers: string[];
  state: PortState;
  seq: number;
  foc_date: string | null;
  wanted: PortReport['wanted'];
  rejection: PortReport['rejection'];
  moves_at: Date | null;
  told_seq: number;
}
export const reportOf = (row: PortRow): PortReport => ({
  ref: row.ref,
  key: row.key,
  state: row.state,
  seq: row.seq,
  focDate: row.foc_date,
  wanted: row.wanted,
  rejection: row.rejection,
});
/** The order moves on by itself after that long. */
export const oweMove = (tx: Tx, ref: string, seq: number, afterSeconds: number) =>
  sql`select enqueue_job('sandbox.movePort', ${JSON.stringify({ ref, seq })}::json, null, clock_timestamp() + make_interval(secs => ${afterSeconds}), 25, ${`sandbox.movePort:${ref}`}, null)`.execute(
    tx,
  );

function answerOrFail(): void {
  if (trouble().outage) throw new Error('the sandbox is away (503)');
  if (unlucky(trouble().errorRate)) throw new Error('the sandbox answered 500');
}

export function sandboxPorting(db: Pick<Db, 'directory' | 'system'>): PortingCarrier {
  const rowOf = async (tx: Tx, key: string) =>
    (await sql<PortRow>`select * from sandbox.port where key = ${key}`.execute(tx)).rows[0];
  return {
    name: 'sandbox',
    async check(numbers) {
      answerOrFail();
      return numbers.map((number) => ({
        number,
        portable: whyKeptBack(number) === null,
        reason: whyKeptBack(number),
        losingCarrier: carrierOf(number),
      }));
    },
    async submit({ papers, ...order }) {
      answerOrFail();
      if (order.accountNumber.endsWith(refusedAtOnce))
        return {
          refused: {
            code: 'account_mismatch',
            text: 'The account number is not known to the carrier.',
            fix: 'Enter the account number as it stands on the bill and submit again.',
          },
        };
      const ref = `sbp-${createHash('sha256').update(order.key).digest('hex').slice(0, 12)}`;
      const kinds = papers.map((p) => p.kind);
      await db.system(async (tx) => {
        const fresh =
          await sql`insert into sandbox.port (ref, key, "order", papers, state, moves_at, told_seq) values (${ref}, ${order.key}, ${JSON.stringify(order)}::jsonb, ${kinds}::text[], 'submitted', clock_timestamp() + make_interval(secs => ${secondsAState}), 1) on conflict (ref) do nothing returning 1`.execute(
            tx,
          );
        if (fresh.rows.length) return void (await oweMove(tx, ref, 1, secondsAState));
        // Known: an amended order. One that waited for its customer is looked at anew; the customer moves it back itself.
        const amended = await sql<{
          seq: number;
        }>`update sandbox.port set "order" = ${JSON.stringify(order)}::jsonb, papers = ${kinds}::text[], state = 'submitted', seq = seq + 1, told_seq = seq + 1, wanted = '{}', rejection = null, moves_at = clock_timestamp() + make_interval(secs => ${secondsAState})
          where ref = ${ref} and state in ('documentsRequested', 'rejected') returning seq`.execute(
          tx,
        );
        if (amended.rows[0]) await oweMove(tx, ref, amended.rows[0].seq, secondsAState);
      });
      if (unlucky(trouble().dropAfterEffectRate))
        throw new Error('the sandbox hung up after it took the order');
      return { ref };
    },
    async cancel(key) {
      answerOrFail();
      const { rows } =
        await sql`update sandbox.port set state = 'canceled', seq = seq + 1, told_seq = seq + 1, moves_at = null where key = ${key} and state <> 'completed' returning 1`.execute(
          db.directory,
        );
      return rows.length ? 'canceled' : (await rowOf(db.directory, key)) ? 'too_late' : 'none';
    },
    async look(key) {
      answerOrFail();
      const row = await rowOf(db.directory, key);
      return row ? reportOf(row) : null;
    },
  };
}

/** Where the sandbox says how orders stand. */
export const portWebhook = (secret: string): CarrierWebhook => ({
  path: '/carriers/sandbox/ports',
  answer: async ({ body, headers }, hear) => {
    if (!isSignedBy(secret, body, headers)) return { status: 403 };
    await hear.ports((jsonOf(body) as { ports: PortReport[] }).ports);
    return { status: 204 };
  },
});
