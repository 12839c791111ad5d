import type { AuditAction } from '#contract/settings/audit/actions';
import { auditRecorded } from '#contract/settings/audit/events';
import { sql } from 'kysely';
import { publishIn, type Ctx, type TxCtx } from './context.ts';
import type { Tx } from './db.ts';

/** What an audit row says of its transaction. */
type AuditCtx = Pick<TxCtx, 'tx' | 'companyId' | 'actor' | 'role' | 'requestId' | 'now' | 'origin'>;

/** Longest browser name that is stored; the rest says nothing more. */
const MAX_USER_AGENT = 400;

/**
 * Writes one append-only audit row in the caller's transaction: the actor, the action, its subject
 * (`number:12`), the values before and after, and where the request came from. Open audit logs
 * follow.
 */
export async function audit(
  ctx: AuditCtx,
  action: AuditAction,
  subject: string,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  const isStaff = ctx.role === 'platform' && ctx.actor.kind === 'user';
  const { admin } = ctx.actor;
  await ctx.tx
    .insertInto('audit_log')
    .values({
      company_id: ctx.companyId,
      actor_id: ctx.actor.userId || null,
      actor_kind: isStaff ? 'platform' : ctx.actor.kind,
      action,
      subject,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
      ip: ctx.origin?.ip ?? null,
      user_agent: ctx.origin?.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      session_id: ctx.origin ? ctx.actor.sessionId || null : null,
      via_user_id: isStaff ? ctx.actor.userId : null,
      impersonator_id: admin?.isRemote ? admin.staffId : null,
      reason: admin?.reason ?? null,
      request_id: ctx.requestId,
      at: ctx.now,
    })
    .execute();
  const { companyId } = ctx;
  await publishIn(ctx.tx, auditRecorded, { companyId }, { companyId });
}

/**
 * The same, unless the actor left such a row about this subject since then: for what can be repeated
 * at will.
 */
export async function auditOnce(
  ctx: AuditCtx,
  action: AuditAction,
  subject: string,
  change: { before?: unknown; after?: unknown },
  since: Date,
): Promise<void> {
  const { companyId, tx, actor } = ctx;
  const what = `audit:${companyId}:${actor.userId}:${action}:${subject}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${what}, 13))`.execute(tx);
  const { rows } = await sql`select from audit_log where company_id = ${companyId}
    and subject = ${subject} and at > ${since} and action = ${action}
    and actor_id = ${actor.userId} limit 1`.execute(tx);
  if (!rows.length) await audit(ctx, action, subject, change);
}

/**
 * Writes what happened to a person's sign-in into the audit log of each company they get into, also
 * through an organization; a person without a company leaves no row. `system` is a transaction of the system role.
 * @param after facts for auditors, such as the name of a passkey; never a secret
 * @param exceptCompanyId a company that has a row of its own about it
 */
export async function auditPerson(
  ctx: Pick<Ctx, 'now' | 'requestId' | 'origin' | 'actor'>,
  system: Tx,
  personId: number,
  action: AuditAction,
  after?: Record<string, string | number | readonly string[]>,
  exceptCompanyId: number | null = null,
): Promise<void> {
  const { ip = null, userAgent = null } = ctx.origin ?? {};
  await sql`select audit_person(${personId}::bigint, ${action}::text,
    ${after ? JSON.stringify(after) : null}::jsonb, ${ip}::text,
    ${userAgent?.slice(0, MAX_USER_AGENT) ?? null}::text, ${ctx.actor.sessionId || null}::bigint,
    ${ctx.requestId}::text, ${ctx.now}::timestamptz, ${exceptCompanyId}::bigint)`.execute(system);
}
