import type { Answer, calls as contract } from '#contract';
import { isNumber } from '#contract/party';
import type { Ctx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { identifyCaller } from './identify-caller.ts';
import { visibleCall, patchCall } from '../records/store.ts';

/**
 * Looks up the other party's identity and stores it with the call. `lookup.not_found` for an
 * anonymous party.
 */
export async function lookUpCaller(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.lookUpCaller>> {
  const row =
    (await ctx.transaction((t) => visibleCall(t.tx, t.companyId, id, t.numbers))) ?? notFound();
  if (!isNumber(row.party)) fail('lookup.not_found');
  const found = await identifyCaller(ctx, { number: row.party });
  await ctx.transaction((t) =>
    patchCall(t.tx, t.companyId, id, { caller_identity: JSON.stringify(found) }),
  );
  return { data: found };
}
