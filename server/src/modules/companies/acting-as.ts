import { grantIn, numbersIn, type Access } from '../../platform/access.ts';
import type { Actor, Ctx, TxCtx } from '../../platform/context.ts';

/**
 * The same context in a person's name, with what they may do in its company at this moment: for jobs
 * that they started. What opens a transaction of its own within one joins it, in their name.
 */
export function actingAs<C extends Ctx>(ctx: C, actor: Actor, access: Access): C {
  const acting = {
    ...ctx,
    actor,
    roles: access.roles,
    role: access.role,
    numbers: numbersIn(access, 'all'),
    may: (key: Parameters<Ctx['may']>[0]) => grantIn(access, key),
  };
  if ('tx' in acting) {
    const joined = acting as C & TxCtx;
    joined.transaction = (work) => work(joined);
    joined.readOnly = (work) => work(joined);
  }
  return acting;
}
