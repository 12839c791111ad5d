/**
 * The sandbox messaging carrier's reports to its customer: receipts of sent texts, and received
 * texts.
 */
import { sql } from 'kysely';
import { Pool } from 'undici';
import type { Services } from '../../platform/context.ts';
import { runJob } from '../../platform/jobs.ts';
import { webUrlOf } from '../../platform/settings.ts';
import type { DeliveryReport, IncomingText } from '../../gateways/messaging.ts';
import type { FaxWebhook } from './faxes.ts';
import { deliverTextJob, queueDelivery, queueReports, reportTextsJob } from './text-job-kinds.ts';
import { providerId, receiptReason, type TextWebhook } from './texts.ts';
import { currentFaults, shouldFail } from './fault-injection.ts';
import { signatureHeader, signWebhook } from '../../exchange/protocol.ts';

// The system role: the simulated carrier’s own tables have no company.

/** Posts a signed webhook to the customer's web process; true when it was accepted. */
type PostWebhook = (
  services: Pick<Services, 'settings'>,
  path: string,
  body: string,
  headers: Record<string, string>,
) => Promise<boolean>;

const pools = new Map<string, Pool>();
/** Posts to the web processes. A pool, because single requests are ten times slower. */
const overHttp: PostWebhook = async ({ settings }, path, body, headers) => {
  const { origin } = new URL(webUrlOf(settings));
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
/** Tests have no port: they pass webhooks to the server directly. Null restores HTTP. */
export function setWebhookTransport(other: PostWebhook | null): void {
  postWebhook = other ?? overHttp;
}

/** True when the customer accepted the webhook. */
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
    await sql<Row>`select t.id, t.key, t.from_number, t.to_number, t.body, t.media, t.at, p.fails
      from sandbox.text t left join sandbox.phone p on t.outgoing and p.number = t.to_number
      where t.id = any(${[...ids]}::bigint[]) and t.reported_at is null order by t.id`.execute(
      services.db.background.unscoped,
    )
  ).rows;
const setStates = (services: Services, told: readonly { id: number; state: string | null }[]) =>
  sql`update sandbox.text t set reported_at = clock_timestamp(), state = coalesce(g.state, t.state)
    from unnest(${told.map((t) => t.id)}::bigint[], ${told.map((t) => t.state)}::text[]) g(id,
      state) where t.id = g.id`.execute(services.db.background.unscoped);
const requeue = (services: Services, id: number) =>
  services.db.systemTransaction((tx) => queueDelivery(tx, id, 2000));
/** Texts reported on at once, each in its own request as carriers do. */
const maxConcurrentReports = 24;

/** Reports `sent` and then the result of each text, with the injected faults. */
async function reportTexts(services: Services, textIds: readonly number[]): Promise<void> {
  const rows = await textsOf(services, textIds);
  const faults = currentFaults();
  const reported: { id: number; state: string | null }[] = [];
  const report = async (row: Row): Promise<void> => {
    const result = row.fails ? 'undelivered' : 'delivered';
    const receiptOf = (state: DeliveryReport['state']): DeliveryReport => ({
      id: `${providerId(row.id)}-${state}`,
      providerId: providerId(row.id),
      key: row.key,
      state,
      code: state === 'undelivered' ? row.fails : null,
      reason: state === 'undelivered' && row.fails ? receiptReason(row.fails) : null,
      at: row.at.getTime(),
    });
    for (const receipt of shouldFail(faults.reorderRate)
      ? [receiptOf(result), receiptOf('sent')]
      : [receiptOf('sent'), receiptOf(result)])
      for (let n = shouldFail(faults.duplicateRate) ? 2 : 1; n > 0; n--)
        if (!(await postToCustomer(services, 'receipts', { reports: [receipt] }))) return;
    reported.push({ id: row.id, state: result });
  };
  const waiting = faults.outage ? [] : [...rows];
  await Promise.all(
    Array.from({ length: Math.min(maxConcurrentReports, waiting.length) }, async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) await report(row);
    }),
  );
  if (reported.length) await setStates(services, reported);
  const done = new Set(reported.map((t) => t.id));
  const unreported = rows.filter((r) => !done.has(r.id)).map((r) => r.id);
  if (unreported.length)
    await services.db.systemTransaction((tx) => queueReports(tx, unreported, 2000));
}

/**
 * Delivers a text from an outside phone to the customer. False when the customer did not accept it.
 * Called by the request that brought the text, and by its job until it succeeds.
 */
export async function deliverText(
  services: Services,
  { textId }: { textId: number },
): Promise<boolean> {
  const [row] = await textsOf(services, [textId]);
  if (!row) return true;
  const faults = currentFaults();
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
  for (let n = shouldFail(faults.duplicateRate) ? 2 : 1; n > 0; n--)
    if (faults.outage || !(await postToCustomer(services, 'texts', { texts: [text] })))
      return false;
  await setStates(services, [{ id: textId, state: null }]);
  return true;
}

export const jobs = [
  runJob(reportTextsJob, (ctx, { textIds }) => reportTexts(ctx as unknown as Services, textIds)),
  runJob(deliverTextJob, async (ctx, payload) => {
    if (!(await deliverText(ctx as unknown as Services, payload)))
      await requeue(ctx as unknown as Services, payload.textId);
  }),
];
