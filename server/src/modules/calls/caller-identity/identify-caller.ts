import { calls as contract, type Answer, type Body } from '#contract';
import { features, isFeatureOn } from '#contract/numbers/features/rules';
import { normalizePhone } from '#contract/phone';
import type { CallerIdentity } from '../../../gateways/caller-identity.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { requireRoom } from '../../billing/index.ts';
import { companyRow } from '../../companies/index.ts';
import { identitiesOf, saveIdentity, insertLookup, type CachedIdentity } from './store.ts';

type EnhancedCallerId = contract.EnhancedCallerId;
const identityTtlMs = 30 * 86_400_000;
/** An unknown number is looked up again sooner: directories get new entries. */
const unknownTtlMs = 86_400_000;

/**
 * The identity behind a number, cached for the company for 30 days (A9.4). Every provider lookup is
 * stored and counted. Concurrent requests may both look it up; one result is kept. No transaction
 * is open during the lookup. Throws feature.off, lookup.not_found, lookup.away, lookup.not_configured.
 */
export async function identifyCaller(
  ctx: Ctx,
  query: { number: string; nameHint?: string | undefined; zipHint?: string | undefined },
): Promise<EnhancedCallerId> {
  const { cached, testMode, isOn } = await ctx.transaction(async (t) => {
    const settings = (await companyRow(t.tx, t.companyId))?.settings;
    return {
      cached: (await identitiesOf(t.tx, t.companyId, [query.number])).get(query.number),
      testMode: (settings as { test_mode?: boolean } | undefined)?.test_mode === true,
      isOn: isFeatureOn(settings, 'enhanced-caller-id'),
    };
  });
  if (!isOn) fail('feature.off', { feature: features['enhanced-caller-id'].label });
  const age = cached ? ctx.now.getTime() - cached.checked_at.getTime() : Infinity;
  if (cached?.identity && age < identityTtlMs) return presentIdentity(cached, cached.identity);
  if (cached && !cached.identity && age < unknownTtlMs) fail('lookup.not_found');
  await ctx.readOnly((t) => requireRoom(t, 'caller_lookups', 1));
  const answer = await ctx.gateways.callerIdentity
    .lookUp({ ...query, testMode })
    .catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'caller identity lookup failed');
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
  return identity ? presentIdentity(row, identity) : fail('lookup.not_found');
}

const presentIdentity = (cached: CachedIdentity, identity: CallerIdentity): EnhancedCallerId => ({
  number: cached.number,
  ...identity,
  checked_at: cached.checked_at.toISOString(),
});

/** Cached identities of these numbers, without a provider lookup. */
export const cachedIdentities = (t: TxCtx, numbers: readonly string[]) =>
  identitiesOf(t.tx, t.companyId, numbers);

/**
 * Looks up the identity behind a number the user entered. Fails with a field error for what is not
 * a phone number, else as `identifyCaller` does.
 */
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
