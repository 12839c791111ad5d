import type { optOutDecisions } from '#contract/compliance/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { lockOptOut, optIn, optOut, optOutOf } from '../../contacts/index.ts';
import {
  possibleOptOutOf,
  updatePossibleOptOut,
  type PossibleOptOutRow,
} from './store-possible-opt-outs.ts';

type Decision = (typeof optOutDecisions)[number];

/**
 * Decides what a doubtful text meant: opts the person out, keeps them, or takes the decision back.
 * `not_found` when there is nothing to decide, `opt_out.decided` when it was decided otherwise
 * meanwhile. False: it was so before.
 */
export async function decideOptOut(
  ctx: TxCtx,
  about: { conversationId: number; party: string; numberId: number },
  decision: Decision,
): Promise<boolean> {
  const { party, numberId, conversationId } = about;
  await lockOptOut(ctx.tx, ctx.companyId, party, 'to_change');
  const row = (await possibleOptOutOf(ctx.tx, ctx.companyId, party, numberId)) ?? notFound();
  const wanted = ({ opt_out: 'opted_out', keep: 'kept', undecided: null } as const)[decision];
  if (row.decision === wanted) return false;
  if (wanted && row.decision) fail('opt_out.decided');
  const key = { companyId: ctx.companyId, party, numberId };
  const by = { at: ctx.now, by: ctx.actor.userId || null, name: ctx.actor.name };
  const change = {
    number: party,
    source: ctx.actor.kind === 'key' ? ('api' as const) : ('manual' as const),
    numberId,
  };
  if (wanted === 'opted_out') await optOut(ctx, { ...change, proof: row.text });
  if (wanted === null && row.decision === 'opted_out') {
    if (!(await isOurOptOut(ctx, row))) fail('opt_out.decided');
    await optIn(ctx, { ...change, proof: null });
  }
  const decided = wanted && { decision: wanted, ...by };
  await updatePossibleOptOut(ctx.tx, key, decided);
  await audit(ctx, 'opt_out.decided', `conversation:${conversationId}`, {
    before: { decision: row.decision },
    after: { decision: wanted },
  });
  return true;
}

/** Whether the opt-out is the one this decision made: a STOP since then isn't taken back. */
async function isOurOptOut(ctx: TxCtx, row: PossibleOptOutRow): Promise<boolean> {
  if (!row.decided_by_name) return false;
  const current = await optOutOf(ctx.tx, ctx.companyId, row.party);
  return current?.opted_out_at.getTime() === row.decided_at?.getTime();
}
