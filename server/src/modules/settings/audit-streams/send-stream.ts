import { createHmac } from 'node:crypto';
import { auditStreams as contract } from '#contract';
import { isFeatureOn } from '#contract/numbers/features/rules';
import type { SinkResult } from '../../../gateways/log-sinks.ts';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { unseal } from '../../../platform/secrets.ts';
import { companyRow, ownersOf } from '../../companies/index.ts';
import { auditFilter } from '../audit/list-audit-log.ts';
import { nameOf, targetOf } from './present.ts';
import { presentDetails } from './read-feed.ts';
import { entriesAfter, lockStream, numberEntries, patchStream, type StreamRow } from './store.ts';

// The system role: addresses of the company's owners, who are people across companies.

const BATCH = 500;
/** Batches a run; the next run goes on. */
const MAX_BATCHES = 20;
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 3_600_000;
/** A receiver that took nothing for this long is given up until someone resumes the stream. */
const GIVE_UP_AFTER_MS = 24 * 3_600_000;

interface Batch {
  stream: StreamRow;
  /** Number of its last entry. */
  to: number;
  count: number;
  /** One entry a line, as JSON. */
  lines: string[];
}

/**
 * Job: sends what a stream has waiting, batch by batch, each until its receiver takes it. A batch is
 * fixed before it is sent, so a repeated one has the same entries and the same ID.
 */
export async function sendAuditStream(ctx: Ctx, streamId: number): Promise<void> {
  for (let n = 0; n < MAX_BATCHES; n++) {
    const batch = await ctx.transaction((at) => nextBatch(at, streamId));
    if (!batch) return;
    const result = batch.count ? await send(ctx, batch) : ({ ok: true } as const);
    const goesOn = await ctx.transaction((at) => settle(at, batch, result));
    if (!goesOn) return;
  }
}

/** The next entries of an active stream that is due; null: nothing to do. */
async function nextBatch(ctx: TxCtx, streamId: number): Promise<Batch | null> {
  const { tx, companyId } = ctx;
  const stream = await lockStream(tx, companyId, streamId);
  if (stream?.state !== 'active' || stream.next_try_at > ctx.clock()) return null;
  const company = await companyRow(tx, companyId);
  if (!company || !isFeatureOn(company.settings, 'audit-log')) return null;
  const newest = await numberEntries(tx, companyId, ctx.clock());
  const { after_seq: after, sending_to_seq: fixed } = stream;
  const to = fixed ?? Math.min(newest, after + BATCH);
  if (to <= after) return null;
  if (fixed === null) await patchStream(tx, companyId, streamId, { sending_to_seq: to });
  const filter = auditFilter({ ...ctx, grant: 'all' }, {});
  const rows = await entriesAfter(tx, companyId, filter, { after, to, limit: BATCH });
  const entries = await presentDetails(ctx, rows);
  return { stream, to, count: rows.length, lines: entries.map((entry) => JSON.stringify(entry)) };
}

async function send(ctx: Ctx, { stream, to, lines }: Batch): Promise<SinkResult> {
  const target = targetOf(stream);
  const secret = unseal(ctx.settings.appSecrets, stream.secret_sealed);
  const { logSinks } = ctx.gateways;
  const from = stream.after_seq + 1;
  if (target.kind === 's3') {
    const { bucket, region, endpoint, access_key_id: accessKeyId } = target;
    const place = { bucket, region, endpoint, accessKeyId, secretAccessKey: secret };
    // By number, so that a repeated batch takes the place of itself and names are in order.
    const name = `${padded(from)}-${padded(to)}.jsonl`;
    const key = [target.prefix.replace(/^\/+|\/+$/g, ''), String(stream.company_id), name]
      .filter(Boolean)
      .join('/');
    return logSinks.put(place, key, `${lines.join('\n')}\n`);
  }
  const { company_id, id } = stream;
  const body = `{"stream_id":${id},"company_id":${company_id},"entries":[${lines.join(',')}]}`;
  return logSinks.post(target.url, signedHeaders(ctx, secret, `${id}-${from}-${to}`, body), body);
}

const padded = (seq: number): string => String(seq).padStart(12, '0');

/** The headers of Standard Webhooks: receivers check them with any of its libraries. */
function signedHeaders(ctx: Ctx, secret: string, id: string, body: string) {
  const timestamp = String(Math.floor(ctx.clock().getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** Stores what became of a batch; false: the stream waits or is paused. */
async function settle(ctx: TxCtx, batch: Batch, result: SinkResult): Promise<boolean> {
  const { tx, companyId } = ctx;
  const { id, after_seq: after } = batch.stream;
  const stream = await lockStream(tx, companyId, id);
  // Removed meanwhile.
  if (!stream) return false;
  const now = ctx.clock();
  if (result.ok) {
    // Another run may have sent the same batch.
    if (stream.after_seq === after)
      await patchStream(tx, companyId, id, {
        after_seq: batch.to,
        sending_to_seq: null,
        sent_count: stream.sent_count + batch.count,
        last_sent_at: now,
        ...{ failures: 0, failing_since: null, last_error: null },
      });
  } else await storeFailure(ctx, stream, result.error, now);
  await ctx.publish(contract.auditStreamsChanged, { companyId });
  return result.ok && stream.state === 'active';
}

async function storeFailure(ctx: TxCtx, stream: StreamRow, error: string, now: Date) {
  const { tx, companyId } = ctx;
  const { id, state } = stream;
  const failingSince = stream.failing_since ?? now;
  const isGivenUp =
    state === 'active' && now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS;
  const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(stream.failures, 10));
  await patchStream(tx, companyId, id, {
    failures: stream.failures + 1,
    failing_since: failingSince,
    last_error: error,
    next_try_at: new Date(now.getTime() + waitMs),
    ...(isGivenUp && { state: 'paused', paused_because: 'failing' }),
  });
  if (!isGivenUp) return;
  const name = nameOf(targetOf(stream));
  await audit(ctx, 'audit_stream.paused', `audit_stream:${id}`, { after: { name, error } });
  await mailOwners(ctx, stream, name, error);
}

/** Tells the company's owners that a stream was paused. */
async function mailOwners(ctx: TxCtx, stream: StreamRow, name: string, error: string) {
  const link = `${ctx.settings.publicUrl}/settings/audit-streams`;
  const text = `The audit log couldn’t be sent to ${name} for a day, so the stream is paused: ${error} Nothing is lost. Resume it here when the receiver works again:`;
  for (const to of await ownersOf(ctx.db.unscoped, ctx.companyId))
    await queueMail(
      ctx,
      {
        to,
        key: `audit-stream:${stream.id}:${stream.after_seq}:${ctx.now.getTime()}`,
        subject: 'The stream of your audit log is paused',
        text: `${text}\n${link}`,
        html: `<p>${escapeHtml(text)}</p><p><a href="${link}">${escapeHtml(link)}</a></p>`,
      },
      ctx.tx,
    );
}
