import { calls as contract, type Answer, type Body } from '#contract';
import { normalizePhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { companyRow } from '../../companies/index.ts';
import { identitiesOf, saveIdentity, insertLookup, type CachedIdentity } from './store.ts';

export type EnhancedCallerId = contract.EnhancedCallerId;
const identityTtlMs = 30 * 86_400_000;
/** That nobody knows a number is asked again sooner: directories learn. */
const unknownTtlMs = 86_400_000;

/**
 * Who is behind a number: kept 30 days for the company, then asked again (A9.4). Every question to the provider is a row that
 * is counted. Two who ask at once may both ask; one answer is kept. No transaction is open while the provider is asked.
 */
export async function identifyCaller(
  ctx: Ctx,
  query: { number: string; nameHint?: string | undefined; zipHint?: string | undefined },
): Promise<EnhancedCallerId> {
  const { kept: cached, testMode } = await ctx.transaction(async (t) => ({
    kept: (await identitiesOf(t.tx, t.companyId, [query.number])).get(query.number),
    testMode:
      ((await companyRow(t.tx, t.companyId))?.settings as { test_mode?: boolean } | undefined)
        ?.test_mode === true,
  }));
  const age = cached ? ctx.now.getTime() - cached.checked_at.getTime() : Infinity;
  if (cached?.identity && age < identityTtlMs) return presentIdentity(cached);
  if (cached && !cached.identity && age < unknownTtlMs) fail('lookup.not_found');
  const answer = await ctx.gateways.callerIdentity
    .lookUp({ ...query, testMode })
    .catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the caller identity provider is away');
      return fail('lookup.away');
    });
  if (answer.state === 'notConfigured') fail('lookup.not_configured');
  const identity = answer.state === 'found' ? answer.identity : null;
  const source = answer.state === 'found' ? answer.identity.source : answer.source;
  const row: CachedIdentity = { number: query.number, identity, source, checked_at: ctx.now };
  await ctx.transaction(async (t) => {
    await saveIdentity(t.tx, t.companyId, row);
    await insertLookup(t.tx, {
      company_id: t.companyId,
      number: query.number,
      source,
      found: identity !== null,
      billable: answer.billable,
      user_id: t.actor.userId || null,
      at: t.now,
    });
    if (identity) await t.publish(contract.callerIdentified, { source });
  });
  return identity ? presentIdentity(row) : fail('lookup.not_found');
}

export const presentIdentity = (cached: CachedIdentity): EnhancedCallerId => ({
  number: cached.number,
  ...cached.identity!,
  checked_at: cached.checked_at.toISOString(),
});

/** What is known already of these numbers; nobody is asked. */
export const cachedIdentities = (t: TxCtx, numbers: readonly string[]) =>
  identitiesOf(t.tx, t.companyId, numbers);

export async function lookUpNumber(
  ctx: Ctx,
  body: Body<typeof contract.lookUpNumber>,
): Promise<Answer<typeof contract.lookUpNumber>> {
  const number = normalizePhone(body.phone) ?? invalid({ phone: 'Enter a phone number.' });
  return {
    data: await identifyCaller(ctx, {
      number,
      nameHint: body.name_hint || undefined,
      zipHint: body.zip_hint || undefined,
    }),
  };
}
