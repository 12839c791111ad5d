import { calls as contract, type Answer, type Body } from '#contract';
import { normalizePhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { companyRow } from '../companies/index.ts';
import { identitiesOf, keepIdentity, noteLookup, type KeptIdentity } from './store-identities.ts';

export type EnhancedCallerId = contract.EnhancedCallerId;
const keptMs = 30 * 86_400_000;
/** That nobody knows a number is asked again sooner: directories learn. */
const nobodyMs = 86_400_000;

/**
 * Who is behind a number: kept 30 days for the company, then asked again (A9.4). Every question to the provider is a row that
 * is counted. Two who ask at once may both ask; one answer is kept. No transaction is open while the provider is asked.
 */
export async function identifyCaller(
  ctx: Ctx,
  about: { number: string; nameHint?: string | undefined; zipHint?: string | undefined },
): Promise<EnhancedCallerId> {
  const { kept, testMode } = await ctx.transaction(async (t) => ({
    kept: (await identitiesOf(t.tx, t.companyId, [about.number])).get(about.number),
    testMode:
      ((await companyRow(t.tx, t.companyId))?.settings as { test_mode?: boolean } | undefined)
        ?.test_mode === true,
  }));
  const age = kept ? ctx.now.getTime() - kept.checked_at.getTime() : Infinity;
  if (kept?.identity && age < keptMs) return presentIdentity(kept);
  if (kept && !kept.identity && age < nobodyMs) refuse('lookup.not_found');
  const answer = await ctx.ports.callerIdentity
    .lookUp({ ...about, testMode })
    .catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the caller identity provider is away');
      return refuse('lookup.away');
    });
  if (answer.state === 'notConfigured') refuse('lookup.not_configured');
  const identity = answer.state === 'found' ? answer.identity : null;
  const source = answer.state === 'found' ? answer.identity.source : answer.source;
  const row: KeptIdentity = { number: about.number, identity, source, checked_at: ctx.now };
  await ctx.transaction(async (t) => {
    await keepIdentity(t.tx, t.companyId, row);
    await noteLookup(t.tx, {
      company_id: t.companyId,
      number: about.number,
      source,
      found: identity !== null,
      billable: answer.billable,
      user_id: t.actor.userId || null,
      at: t.now,
    });
    if (identity) await t.say(contract.callerIdentified, { source });
  });
  return identity ? presentIdentity(row) : refuse('lookup.not_found');
}

export const presentIdentity = (kept: KeptIdentity): EnhancedCallerId => ({
  number: kept.number,
  ...kept.identity!,
  checked_at: kept.checked_at.toISOString(),
});

/** What is known already of these numbers; nobody is asked. */
export const knownIdentities = (t: TxCtx, numbers: readonly string[]) =>
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
