import type { AuditAction } from '#contract/settings/audit/actions';
import { auditRecorded } from '#contract/settings/audit/events';
import { publishIn, type TxCtx } from './context.ts';

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
