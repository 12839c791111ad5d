import type { TxCtx } from './context.ts';

/**
 * Writes one append-only audit row in the caller's transaction: the actor, the action, its subject
 * (`number:12`), and the values before and after.
 */
export async function audit(
  ctx: Pick<TxCtx, 'tx' | 'companyId' | 'actor' | 'role' | 'requestId' | 'now'>,
  action: string,
  subject: string,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  await ctx.tx
    .insertInto('audit_log')
    .values({
      company_id: ctx.companyId,
      actor_id: ctx.actor.userId || null,
      actor_kind:
        ctx.role === 'platform' && ctx.actor.kind === 'user' ? 'platform' : ctx.actor.kind,
      action,
      subject,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
      request_id: ctx.requestId,
      at: ctx.now,
    })
    .execute();
}
