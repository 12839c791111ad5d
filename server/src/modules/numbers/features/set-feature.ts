import type { Answer, Body, features as contract } from '#contract';
import {
  featureKey,
  features,
  isFeatureOn,
  isLackedByPlan,
  type FeatureName,
  type NumberSwitch,
} from '#contract/numbers/features/rules';
import type { Ctx } from '../../../platform/context.ts';
import { ApiError, fail, notFound } from '../../../platform/errors.ts';
import { companyRow, valuesFor, type SettingOwner } from '../../companies/index.ts';
import { changeSettings } from '../../settings/index.ts';
import { changeNumber } from '../change-number.ts';
import { companiesWithFeatures, numbersWithout, withOwnValue } from './store-features.ts';

// The system role: settings of an organization are above companies.

type Toggled = Answer<typeof contract.setCompanyFeature>['data'];
type Said = Body<typeof contract.setCompanyFeature>;

/**
 * Turns a feature of the company on or off. Fails with `feature.plan` for one that the plan lacks,
 * and `feature.organization` for one that the organization, or the installation, has turned off.
 */
export async function setCompanyFeature(
  ctx: Ctx,
  feature: FeatureName,
  said: Said,
): Promise<{ data: Toggled }> {
  const { companyId } = ctx;
  const settings = (await companyRow(ctx.db.unscoped, companyId))?.settings;
  if (said.enabled && isLackedByPlan(settings, feature))
    return fail('feature.plan', { feature: features[feature].label });
  const isAbove = ctx.roles.some((role) => role === 'org-administrator' || role === 'platform');
  if (said.enabled && !isAbove && (await isOffAbove(ctx, companyId, feature)))
    return fail('feature.organization');
  return { data: await toggle(ctx, [companyId], feature, said) };
}

/**
 * Turns a feature on or off in the organization of `ctx`: in all its companies, also those that
 * join later, or only in these (`not_found` for another's).
 */
export async function setOrganizationFeature(
  ctx: Ctx,
  feature: FeatureName,
  said: Said,
  companyIds: readonly number[] | undefined,
): Promise<{ data: Toggled }> {
  const { organizationId = 0 } = ctx;
  const own = (await companiesWithFeatures(ctx.db.unscoped, organizationId)).map(({ id }) => id);
  if (companyIds) {
    if (companyIds.some((one) => !own.includes(one))) return notFound();
    return { data: await toggle(ctx, [...new Set(companyIds)], feature, said) };
  }
  // Nothing above an organization but the installation, which only `true` overrides.
  const owner = { companyId: null, organizationId };
  await changeSettings(ctx, owner, { [featureKey(feature)]: said.enabled });
  for (const id of await withOwnValue(ctx.db.unscoped, own, feature))
    await set(ctx, { companyId: id, organizationId: null }, feature, null);
  return { data: await result(ctx, own, feature, said) };
}

const set = (ctx: Ctx, owner: SettingOwner, feature: FeatureName, value: boolean | null) =>
  changeSettings(owner.companyId ? ctx.actingIn(owner.companyId, ctx.roles) : ctx, owner, {
    [featureKey(feature)]: value,
  });

async function isOffAbove(ctx: Ctx, companyId: number, feature: FeatureName): Promise<boolean> {
  const values = await valuesFor(ctx.db.unscoped, { companyId, organizationId: null });
  const above = values
    .filter((row) => row.key === featureKey(feature) && row.company_id === null)
    .sort((a, b) => Number(b.organization_id !== null) - Number(a.organization_id !== null));
  return above[0]?.value === false;
}

/** Each company's own value; what it would inherit anyway isn't stored. */
async function toggle(
  ctx: Ctx,
  companyIds: readonly number[],
  feature: FeatureName,
  said: Said,
): Promise<Toggled> {
  for (const companyId of companyIds) {
    const isNeeded = !said.enabled || (await isOffAbove(ctx, companyId, feature));
    const owner = { companyId, organizationId: null };
    await set(ctx, owner, feature, isNeeded ? said.enabled : null);
  }
  return result(ctx, companyIds, feature, said);
}

async function result(
  ctx: Ctx,
  companyIds: readonly number[],
  feature: FeatureName,
  said: Said,
): Promise<Toggled> {
  const rule = features[feature];
  const switches = said.enabled && said.enableForExistingNumbers && 'numbers' in rule;
  let applied = 0;
  const companies: Toggled['companies'] = [];
  for (const id of companyIds) {
    const settings = (await companyRow(ctx.db.unscoped, id))?.settings;
    companies.push({ id, enabled: isFeatureOn(settings, feature) });
    if (switches) applied += await turnOnNumbers(ctx.actingIn(id, ctx.roles), rule.numbers);
  }
  return { feature, enabled: said.enabled, applied_numbers: applied, companies };
}

/** One transaction a number: thousands in one would hold up calls. Those that can't stay as they are. */
async function turnOnNumbers(ctx: Ctx, switches: readonly NumberSwitch[]): Promise<number> {
  const patch = Object.fromEntries(switches.map((name) => [name, true]));
  let changed = 0;
  for (const id of await ctx.readOnly(({ tx, companyId }) =>
    numbersWithout(tx, companyId, switches),
  ))
    await ctx
      .transaction((t) => changeNumber(t, id, patch))
      .then(() => {
        changed += 1;
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
  return changed;
}
