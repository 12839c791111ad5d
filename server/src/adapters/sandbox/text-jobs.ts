/** What the messaging carrier owes its customer: receipts of texts it took, texts that arrived for their numbers. */
import { sql } from 'kysely';
import { Pool } from 'undici';
import { z } from 'zod';
import type { House } from '../../platform/context.ts';
import { job } from '../../platform/jobs.ts';
import type { DeliveryReport, IncomingText } from '../../ports/messaging.ts';
import { owe, providerId, receiptReason, type Webhook } from './texts.ts';
import { trouble, unlucky } from './trouble.ts';
import { signatureHeader, signWebhook } from './webhook.ts';

/** Carries a signed webhook to the customer's web process; true when it was taken. */
export type Carry = (house: Pick<House, 'settings'>, path: string, body: string, headers: Record<string, string>) => Promise<boolean>;

const pools = new Map<string, Pool>();
/** Over HTTP to this machine's own web process. A pool, because single requests are ten times slower. */
const overHttp: Carry = async ({ settings }, path, body, headers) => {
  const origin = `http://127.0.0.1:${settings.port}`;
  let pool = pools.get(origin);
  if (!pool) pools.set(origin, (pool = new Pool(origin, { connections: 32, headersTimeout: 10_000, bodyTimeout: 10_000 })));
  const answer = await pool.request({ method: 'POST', path, headers, body }).catch(() => null);
  await answer?.body.dump();
  return answer !== null && answer.statusCode < 300;
};
let carry: Carry = overHttp;
/** Tests have no port to call: they hand webhooks to the server directly. */
export function carryWebhooksBy(other: Carry | null): void { carry = other ?? overHttp; }

export async function sayToCustomer(house: Pick<House, 'settings'>, what: 'texts' | 'receipts', said: Webhook): Promise<boolean> {
  const body = JSON.stringify(said);
  return carry(house, `/carriers/sandbox/${what}`, body, { 'content-type': 'application/json', [signatureHeader]: signWebhook(body, house.settings.mediaSecret) });
}

interface Row { id: number; key: string | null; from_number: string; to_number: string; body: string; media: { id: string; contentType: string; name: string }[]; at: Date; fails: string | null }
const textOf = async (house: House, id: number) =>
  (await sql<Row>`select t.id, t.key, t.from_number, t.to_number, t.body, t.media, t.at, p.fails from sandbox.text t left join sandbox.phone p on t.outgoing and p.number = t.to_number where t.id = ${id} and t.reported_at is null`.execute(house.db.directory)).rows[0];
const settle = (house: House, id: number, state: string | null) =>
  sql`update sandbox.text set reported_at = clock_timestamp(), state = coalesce(${state}, state) where id = ${id}`.execute(house.db.directory);
const owedStill = (house: House, what: 'sandbox.report' | 'sandbox.deliver', id: number) => house.db.system((tx) => owe(tx, what, id, 2000));

/** Sent, then delivered (or not): two receipts, troubled as the switches say. */
async function report(house: House, { textId }: { textId: number }): Promise<void> {
  const row = await textOf(house, textId);
  if (!row) return;
  const now = trouble();
  if (now.outage) { await owedStill(house, 'sandbox.report', textId); return; }
  const last = row.fails ? 'undelivered' : 'delivered';
  const one = (state: DeliveryReport['state']): DeliveryReport => ({ id: `${providerId(row.id)}-${state}`, providerId: providerId(row.id), key: row.key, state, code: state === 'undelivered' ? row.fails : null, reason: state === 'undelivered' ? receiptReason(row.fails!) : null, at: row.at.getTime() });
  const receipts = unlucky(now.reorderRate) ? [one(last), one('sent')] : [one('sent'), one(last)];
  for (const receipt of receipts)
    for (let n = unlucky(now.duplicateRate) ? 2 : 1; n > 0; n--)
      if (!(await sayToCustomer(house, 'receipts', { reports: [receipt] }))) { await owedStill(house, 'sandbox.report', textId); return; }
  await settle(house, textId, last);
}

/** A text an outside phone sent: told until it is taken. Also tried at once by the request that brought it. */
export async function deliver(house: House, { textId }: { textId: number }): Promise<boolean> {
  const row = await textOf(house, textId);
  if (!row) return true;
  const now = trouble();
  const text: IncomingText = {
    id: providerId(row.id), from: row.from_number, to: row.to_number, text: row.body, at: row.at.getTime(),
    media: row.media.map((m) => ({ url: `${house.settings.publicUrl}/sandbox/pictures/${m.id}`, contentType: m.contentType, name: m.name })),
  };
  for (let n = unlucky(now.duplicateRate) ? 2 : 1; n > 0; n--)
    if (now.outage || !(await sayToCustomer(house, 'texts', { texts: [text] }))) return false;
  await settle(house, textId, null);
  return true;
}

const ofText = z.object({ textId: z.number() }).loose();
export const jobs = [
  job('sandbox.report', ofText, report as never),
  job('sandbox.deliver', ofText, async (ctx, payload) => { if (!(await deliver(ctx as unknown as House, payload))) await owedStill(ctx as unknown as House, 'sandbox.deliver', payload.textId); }),
];
