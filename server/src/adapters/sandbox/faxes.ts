/**
 * The sandbox's fax carrier: accepts one document a key, takes some time to send it, and reports by
 * signed webhook. When the called number is one of our own, the fax arrives there.
 */
import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import type {
  FaxCarrier,
  FaxReport,
  FaxResult,
  IncomingFax,
  OutgoingFax,
} from '../../gateways/fax.ts';
import { isEmergency } from '../../exchange/phone-number.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';
import { signatureHeader, signWebhook } from '../../exchange/protocol.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';

// The system role: the simulated carrier’s own tables have no company.

export const faxFailures = ['busy', 'no_answer', 'not_a_fax', 'line_trouble'] as const;
/** The carrier's id of a fax. */
export const faxId = (id: number) => `sbf-${id}`;

/** The sandbox as fax carrier. `secret` signs and checks its webhooks. */
export function sandboxFaxes(db: Db, secret: string): FaxCarrier {
  return {
    name: 'sandbox',
    isIdempotent: true,
    send: (fax) => acceptFax(db, fax),
    findFax: async ({ key }) => {
      if (currentFaults().outage) throw new Error('The sandbox carrier is offline.');
      const row = (
        await sql<{
          id: number;
          state: FaxReport['state'];
          code: string | null;
        }>`select id, state, code from sandbox.fax where key = ${key}`.execute(db.unscoped)
      ).rows[0];
      return row ? { providerId: faxId(row.id), state: row.state, code: row.code } : null;
    },
    parseWebhook: (raw, headers) => {
      const given = Buffer.from(String(headers[signatureHeader] ?? ''));
      const expected = Buffer.from(signWebhook(raw, secret));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      try {
        return FaxWebhook.parse(parseWebhookJson(raw));
      } catch {
        return { faxes: [], reports: [] };
      }
    },
    fetchDocument: async (url) => {
      if (currentFaults().outage) throw new Error('The sandbox carrier is offline.');
      const id = /\/sandbox\/faxes\/(\d{1,16})\/document$/.exec(url)?.[1];
      return id ? ((await faxDocument(db.unscoped, Number(id)))?.bytes ?? null) : null;
    },
  };
}

const FaxWebhook = z.object({
  faxes: z
    .array(
      z.object({
        id: z.string(),
        from: z.string(),
        to: z.string(),
        pages: z.number(),
        url: z.string(),
        at: z.number(),
      }),
    )
    .default([]),
  reports: z
    .array(
      z.object({
        providerId: z.string(),
        key: z.string().nullable(),
        state: z.enum(['sending', 'sent', 'delivered', 'failed']),
        code: z.string().nullable(),
        at: z.number(),
      }),
    )
    .default([]),
});
export interface FaxWebhook {
  faxes?: IncomingFax[];
  reports?: FaxReport[];
}

async function acceptFax(db: Db, fax: OutgoingFax): Promise<FaxResult> {
  const faults = currentFaults();
  if (faults.outage || shouldFail(faults.errorRate))
    return { state: 'refused', code: 'carrier_away', permanent: false };
  if (isEmergency(fax.to)) return { state: 'refused', code: 'rejected', permanent: true };
  const bytes = await fax.document.bytes();
  const id = await db.systemTransaction(async (tx) => {
    const inserted = (
      await sql<{
        id: number;
      }>`insert into sandbox.fax (outgoing, key, from_number, to_number, document,
          content_type, pages, at)
      values (true, ${fax.key}, ${fax.from}, ${fax.to}, ${bytes}, ${fax.document.contentType},
          ${fax.document.pages}, clock_timestamp())
        on conflict (key) do nothing returning id`.execute(tx)
    ).rows[0];
    if (!inserted)
      return (
        await sql<{ id: number }>`select id from sandbox.fax where key = ${fax.key}`.execute(tx)
      ).rows[0]!.id; // The insert found it.
    await queueFaxJob(tx, 'sandbox.reportFax', inserted.id, faults.lateReceiptsMs);
    return inserted.id;
  });
  return shouldFail(faults.dropAfterEffectRate)
    ? { state: 'unknown' }
    : { state: 'accepted', providerId: faxId(id) };
}

/** Queues a job that reports to the customer, to run after `afterMs`. */
export const queueFaxJob = (
  tx: Tx,
  job: 'sandbox.reportFax' | 'sandbox.deliverFax',
  id: number,
  afterMs: number,
) =>
  sql`select enqueue_job(${job}, ${JSON.stringify({ faxId: id })}::json, null,
      clock_timestamp() + make_interval(secs => ${afterMs / 1000}), 25, null, null)`.execute(tx);

/** Null when there is no such fax. */
export async function faxDocument(
  db: Tx,
  id: number,
): Promise<{ bytes: Buffer; contentType: string } | null> {
  const { rows } = await sql<{
    document: Buffer;
    content_type: string;
  }>`select document, content_type from sandbox.fax where id = ${id}`.execute(db);
  return rows[0] ? { bytes: rows[0].document, contentType: rows[0].content_type } : null;
}
