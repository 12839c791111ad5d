import { companies, settings as contract, apiErrorText, type Answer, type Body } from '#contract';
import { settingKeys, settingRules, type SettingScope } from '#contract/settings/rules';
import { accessTo, grantIn } from '../../../platform/access.ts';
import { audit } from '../../../platform/audit.ts';
import { withTx, type Ctx } from '../../../platform/context.ts';
import { ApiError, invalid } from '../../../platform/errors.ts';
import {
  saveSettings,
  scheduleExists,
  valuesFor,
  type SettingOwner,
} from '../../companies/index.ts';

// The system role: runs before a company is chosen, or creates one.

type Values = Readonly<Record<string, unknown>>;

/**
 * Sets settings of their owner (null: inherited again), and recomputes, audits and publishes it for
 * every company concerned, in one transaction. Fails with a field error where a setting can't be
 * set for this owner.
 */
export async function changeSettings(ctx: Ctx, owner: SettingOwner, values: Values): Promise<void> {
  const ip = ctx.origin?.ip ?? null;
  const scope: SettingScope = owner.companyId
    ? 'company'
    : owner.organizationId
      ? 'organization'
      : 'system';
  const wrong = settingKeys.filter(
    (key) => values[key] != null && !settingRules[key].scopes.includes(scope),
  );
  if (wrong.length)
    invalid(Object.fromEntries(wrong.map((key) => [key, 'Set this for each company.'])));
  await ctx.db.systemTransaction(async (tx) => {
    const schedule = values['business_hours_schedule_id'];
    if (owner.companyId && typeof schedule === 'number')
      if (!(await scheduleExists(tx, owner.companyId, schedule)))
        invalid({ business_hours_schedule_id: 'This schedule doesn’t exist.' });
    const { changes, companyIds } = await saveSettings(tx, owner, values, {
      by: ctx.actor.userId || null,
      ip,
      now: ctx.now,
    });
    for (const companyId of companyIds) {
      // The relay polls, so nothing needs to wake it.
      const t = withTx(ctx.actingIn(companyId, ctx.roles), tx, {
        markDirty: () => {},
        notify: () => {},
      });
      await audit(
        t,
        'settings.updated',
        `${scope}:${owner.companyId ?? owner.organizationId ?? 0}`,
        {
          before: Object.fromEntries(changes.map(({ key, before }) => [key, before])),
          after: Object.fromEntries(changes.map(({ key, after }) => [key, after])),
        },
      );
      await t.publish(contract.settingsChanged, { companyId, keys: changes.map(({ key }) => key) });
      await t.publish(companies.companyChanged, { companyId });
    }
  });
}

/** Restores the named settings, or all, to what is inherited. Fails for unknown keys. */
export async function restoreSettings(
  ctx: Ctx,
  owner: SettingOwner,
  keys: readonly string[] | undefined,
): Promise<void> {
  const unknown = (keys ?? []).filter((key) => !(settingKeys as string[]).includes(key));
  if (unknown.length) invalid({ keys: `There is no setting named ${unknown[0]}.` });
  const own = (await valuesFor(ctx.db.unscoped, owner)).filter(
    (row) => row.company_id === owner.companyId && row.organization_id === owner.organizationId,
  );
  const wanted = own
    .map(({ key }) => key)
    .filter((key) => (keys ? keys.includes(key) : (settingKeys as string[]).includes(key)));
  await changeSettings(ctx, owner, Object.fromEntries(wanted.map((key) => [key, null])));
}

/** Changes settings of several companies; each that the person may not change says why. */
export async function bulkUpdateSettings(
  ctx: Ctx,
  { companyIds, settings }: Body<typeof contract.bulkUpdateGeneralSettings>,
): Promise<Answer<typeof contract.bulkUpdateGeneralSettings>> {
  const data: Answer<typeof contract.bulkUpdateGeneralSettings>['data'] = [];
  for (const companyId of new Set(companyIds)) {
    const access = accessTo(ctx.actor, companyId);
    const refused = !access
      ? ('not_found' as const)
      : grantIn(access, 'settings.edit') === 'none'
        ? ('role.forbidden' as const)
        : null;
    const reason =
      refused || !access
        ? apiErrorText(refused ?? 'not_found', {})
        : await reasonAgainst(() =>
            changeSettings(
              ctx.actingIn(companyId, access.roles),
              { companyId, organizationId: null },
              settings,
            ),
          );
    data.push({ company_id: companyId, ok: reason === null, reason });
  }
  return { data };
}

/** Runs a change; the sentence that refuses it for this company, null when it was made. */
async function reasonAgainst(change: () => Promise<void>): Promise<string | null> {
  try {
    await change();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return Object.values(error.errors ?? {})[0]?.[0] ?? error.message;
  }
}
