import type { Answer, calls as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { anonymous } from './rules.ts';
import { callSeen, patchCall } from './store.ts';

type Found = Answer<typeof contract.lookUpCaller>['data'];
const KEPT_MS = 30 * 86_400_000;

/** Who is behind the other party's number: kept 30 days, then asked again (A9.4). */
export async function lookUpCaller(ctx: Ctx, id: number): Promise<Answer<typeof contract.lookUpCaller>> {
  const row = (await ctx.transaction((t) => callSeen(t.tx, t.companyId, id, t.numbers))) ?? missing();
  const kept = row.caller_identity as Found | null;
  if (kept && ctx.now.getTime() - Date.parse(kept.checked_at) < KEPT_MS) return { data: kept };
  if (row.party === anonymous) refuse('lookup.not_found');
  const answer = await ctx.ports.callerIdentity.lookUp(row.party);
  if (answer.state === 'notConfigured') refuse('lookup.not_configured');
  if (answer.state === 'notFound') refuse('lookup.not_found');
  const found: Found = { number: row.party, ...answer.identity, checked_at: ctx.now.toISOString() };
  await ctx.transaction((t) => patchCall(t.tx, t.companyId, id, { caller_identity: JSON.stringify(found) }));
  return { data: found };
}
