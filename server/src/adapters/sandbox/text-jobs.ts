/** What the messaging carrier owes its customer: receipts of texts it took, texts that arrived for their numbers. */
import { sql } from 'kysely';
import { Pool } from 'undici';
import { z } from 'zod';
import type { Services } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { DeliveryReport, IncomingText } from '../../gateways/messaging.ts';
import type { FaxWebhook } from './faxes.ts';
import { queueReports } from './accept-texts.ts';
import { queueDelivery, providerId, receiptReason, type TextWebhook } from './texts.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';
import { signatureHeader, signWebhook } from './webhook.ts';

/** Carries a signed webhook to the customer's web process; true when it was taken. */
export type PostWebhook = (
  services: Pick<Services, 'settings'>,
  path: string,
  body: string,
  headers: Record<string, string>,
) => Promise<boolean>;

const pools = new Map<string, Pool>();
/** Over HTTP to this machine's own web process. A pool, because single requests are ten times slower. */
const overHttp: PostWebhook = async ({ settings }, path, body, headers) => {
  const origin = `http://127.0.0.1:${settings.port}`;
  let pool = pools.get(origin);
  if (!pool)
    pools.set(
      origin,
      (pool = new Pool(origin, { connections: 64, headersTimeout: 10_000, bodyTimeout: 10_000 })),
    );
  const answer = await pool.request({ method: 'POST', path, headers, body }).catch(() => null);
  await answer?.body.dump();
  return answer !== null && answer.statusCode < 300;
};
let postWebhook: PostWebhook = overHttp;
/** Tests have no port to call: they hand webhooks to the server directly. */
export function setWebhookTransport(other: PostWebhook | null): void {
  postWebhook = other ?? overHttp;
}

export async function postToCustomer(
  services: Pick<Services, 'settings'>,
  path: 'texts' | 'receipts' | 'ports' | 'registrations' | 'fax',
  webhook: TextWebhook | FaxWebhook | { ports: unknown[] } | { refs: string[] },
): Promise<boolean> {
  const body = JSON.stringify(webhook);
  return postWebhook(services, `/carriers/sandbox/${path}`, body, {
    'content-type': 'application/json',
    [signatureHeader]: signWebhook(body, services.settings.mediaSecret),
  });
}

interface Row {
  id: number;
  key: string | null;
  from_number: string;
  to_number: string;
  body: string;
  media: { id: string; contentType: string; name: string }[];
  at: Date;
  fails: string | null;
}
const textsOf = async (services: Services, ids: readonly number[]) =>
  (
    await sql<Row>`select t.id, t.key, t.from_number, t.to_number, t.body, t.media, t.at, p.fails from sandbox.text t left join sandbox.phone p on t.outgoing and p.number = t.to_number where t.id = any(${[...ids]}::bigint[]) and t.reported_at is null order by t.id`.execute(
      services.db.background.unscoped,
    )
  ).rows;
const setStates = (services: Services, told: readonly { id: number; state: string | null }[]) =>
  sql`update sandbox.text t set reported_at = clock_timestamp(), state = coalesce(g.state, t.state) from unnest(${told.map((t) => t.id)}::bigint[], ${told.map((t) => t.state)}::text[]) g(id, state) where t.id = g.id`.execute(
    services.db.background.unscoped,
  );
const requeue = (services: Services, id: number) =>
  services.db.systemTransaction((tx) => queueDelivery(tx, id, 2000));
/** So many texts of a lot are reported on at once, each in a request of its own as carriers do. */
const maxConcurrentReports = 24;

/** Of each text: sent, then delivered (or not); two receipts, troubled as the switches say. */
async function reportTexts(services: Services, textIds: readonly number[]): Promise<void> {
  const rows = await textsOf(services, textIds);
  const now = currentFaults();
  const told: { id: number; state: string | null }[] = [];
  const tell = async (row: Row): Promise<void> => {
    const last = row.fails ? 'undelivered' : 'delivered';
    const one = (state: DeliveryReport['state']): DeliveryReport => ({
      id: `${providerId(row.id)}-${state}`,
      providerId: providerId(row.id),
      key: row.key,
      state,
      code: state === 'undelivered' ? row.fails : null,
      reason: state === 'undelivered' ? receiptReason(row.fails!) : null,
      at: row.at.getTime(),
    });
    for (const receipt of shouldFail(now.reorderRate)
      ? [one(last), one('sent')]
      : [one('sent'), one(last)])
      for (let n = shouldFail(now.duplicateRate) ? 2 : 1; n > 0; n--)
        if (!(await postToCustomer(services, 'receipts', { reports: [receipt] }))) return;
    told.push({ id: row.id, state: last });
  };
  const waiting = now.outage ? [] : [...rows];
  await Promise.all(
    Array.from({ length: Math.min(maxConcurrentReports, waiting.length) }, async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) await tell(row);
    }),
  );
  if (told.length) await setStates(services, told);
  const done = new Set(told.map((t) => t.id));
  const left = rows.filter((r) => !done.has(r.id)).map((r) => r.id);
  if (left.length) await services.db.systemTransaction((tx) => queueReports(tx, left, 2000));
}

/** A text an outside phone sent: told until it is taken. Also tried at once by the request that brought it. */
export async function deliverText(
  services: Services,
  { textId }: { textId: number },
): Promise<boolean> {
  const [row] = await textsOf(services, [textId]);
  if (!row) return true;
  const now = currentFaults();
  const text: IncomingText = {
    id: providerId(row.id),
    from: row.from_number,
    to: row.to_number,
    text: row.body,
    at: row.at.getTime(),
    media: row.media.map((m) => ({
      url: `${services.settings.publicUrl}/sandbox/pictures/${m.id}`,
      contentType: m.contentType,
      name: m.name,
    })),
  };
  for (let n = shouldFail(now.duplicateRate) ? 2 : 1; n > 0; n--)
    if (now.outage || !(await postToCustomer(services, 'texts', { texts: [text] }))) return false;
  await setStates(services, [{ id: textId, state: null }]);
  return true;
}

const textPayload = z.object({ textId: z.number() }).loose();
// One of an earlier version names a single text.
const textsPayload = z.union([z.object({ textIds: z.array(z.number()) }).loose(), textPayload]);
export const jobs = [
  defineJob('sandbox.report', textsPayload, (ctx, payload) =>
    reportTexts(
      ctx as unknown as Services,
      'textIds' in payload ? (payload.textIds as number[]) : [payload.textId],
    ),
  ),
  defineJob('sandbox.deliver', textPayload, async (ctx, payload) => {
    if (!(await deliverText(ctx as unknown as Services, payload)))
      await requeue(ctx as unknown as Services, payload.textId);
  }),
];
