import { randomBytes } from 'node:crypto';
import { auditStreams as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { seal } from '../../../platform/secrets.ts';
import { sendAuditStreamJob } from './job-kinds.ts';
import { nameOf, presentStream, targetOf, type Target } from './present.ts';
import {
  deleteStream,
  insertStream,
  lockStream,
  numberEntries,
  patchStream,
  streamsOf,
} from './store.ts';

const MOST_STREAMS = 5;

/** The receivers of the company's audit log, oldest first. */
export async function listAuditStreams(
  ctx: TxCtx,
): Promise<Answer<typeof contract.listAuditStreams>> {
  const data = [];
  for (const row of await streamsOf(ctx.tx, ctx.companyId))
    data.push(await presentStream(ctx, row));
  return { data, meta: { simulated: ctx.gateways.logSinks.name === 'sandbox' } };
}

/** Adds a receiver and begins to send. Fails with `audit_stream.too_many`. */
export async function createAuditStream(
  ctx: TxCtx,
  { target: said, from_beginning: fromBeginning }: Body<typeof contract.createAuditStream>,
): Promise<Answer<typeof contract.createAuditStream>> {
  const { tx, companyId, now } = ctx;
  // Also the lock under which streams are counted.
  const last = await numberEntries(tx, companyId, ctx.clock());
  if ((await streamsOf(tx, companyId)).length >= MOST_STREAMS)
    fail('audit_stream.too_many', { most: MOST_STREAMS });
  const { target, secret } = withoutSecret(said);
  const row = await insertStream(tx, {
    company_id: companyId,
    kind: target.kind,
    target: JSON.stringify(target),
    secret_sealed: seal(ctx.settings.appSecrets, secret),
    after_seq: fromBeginning ? 0 : last,
    next_try_at: now,
    created_by: ctx.actor.userId || null,
    created_at: now,
  });
  await audit(ctx, 'audit_stream.created', `audit_stream:${row.id}`, {
    after: { name: nameOf(target), kind: target.kind, from_beginning: fromBeginning },
  });
  await ctx.enqueue(sendAuditStreamJob, { streamId: row.id });
  await ctx.publish(contract.auditStreamsChanged, { companyId });
  const stream = await presentStream(ctx, row);
  return { data: { stream, signing_secret: target.kind === 'webhook' ? secret : null } };
}

/** A target as it is stored, and its secret: of a bucket the one given, of a webhook a new one. */
function withoutSecret(said: Body<typeof contract.createAuditStream>['target']): {
  target: Target;
  secret: string;
} {
  if (said.kind === 'webhook')
    return {
      target: { kind: 'webhook', url: said.url },
      secret: `whsec_${randomBytes(32).toString('base64')}`,
    };
  const { secret_access_key: secret, ...target } = said;
  return { target, secret };
}

/** Pauses a stream or resumes it where it stopped. Fails with `not_found`. */
export async function setAuditStreamState(
  ctx: TxCtx,
  id: number,
  { state }: Body<typeof contract.setAuditStreamState>,
): Promise<Answer<typeof contract.setAuditStreamState>> {
  const { tx, companyId } = ctx;
  const before = (await lockStream(tx, companyId, id)) ?? notFound();
  if (before.state === state) return { data: await presentStream(ctx, before) };
  const isActive = state === 'active';
  const row = await patchStream(tx, companyId, id, {
    state,
    paused_because: isActive ? null : 'person',
    ...(isActive && { failures: 0, failing_since: null, next_try_at: ctx.now }),
  });
  const action = isActive ? 'audit_stream.resumed' : 'audit_stream.paused';
  await audit(ctx, action, `audit_stream:${id}`, { after: { name: nameOf(targetOf(row)) } });
  if (isActive) await ctx.enqueue(sendAuditStreamJob, { streamId: id });
  await ctx.publish(contract.auditStreamsChanged, { companyId });
  return { data: await presentStream(ctx, row) };
}

/** Removes a receiver. Fails with `not_found`. */
export async function deleteAuditStream(ctx: TxCtx, id: number): Promise<void> {
  const { tx, companyId } = ctx;
  const row = (await lockStream(tx, companyId, id)) ?? notFound();
  await deleteStream(tx, companyId, id);
  await audit(ctx, 'audit_stream.deleted', `audit_stream:${id}`, {
    before: { name: nameOf(targetOf(row)), sent_count: row.sent_count },
  });
  await ctx.publish(contract.auditStreamsChanged, { companyId });
}
