import type { Answer, Body } from '#contract';
import { companies as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { canonicalZone } from '#contract/routing/schedules/rules';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { deleteKeysOfCompany } from '../identity/index.ts';
import { setValues, valuesOfOne } from '../fields/index.ts';
import { presentCompany } from './present.ts';
import { getCompany } from './read.ts';
import {
  companyRow,
  insertCompany,
  insertMembership,
  isOrganizationAdmin,
  patchCompany,
  removeCompany,
  type CompanyPatch,
} from './store.ts';
import { requireOwnNetwork } from './settings/save-settings.ts';
import { writeValues } from './settings/store-settings.ts';

// The system role: runs before a company is chosen, or creates one.

/** True for IANA time zone names (A §5). */
export const isKnownZone = (zone: string): boolean => canonicalZone(zone) !== null;
/** The IANA time zone in its current spelling. Fails with a field error for unknown ones. */
export const requireZone = (zone: string): string =>
  canonicalZone(zone) ?? invalid({ timezone: 'Choose a time zone from the list.' });

function companyPatchOf(body: Body<typeof contract.updateCompany>): CompanyPatch {
  const { address, eav_attribute_values: _, email, ...plain } = body;
  return {
    ...Object.fromEntries(Object.entries(plain).filter(([, v]) => v !== undefined)),
    ...(plain.timezone !== undefined ? { timezone: requireZone(plain.timezone) } : {}),
    ...(email !== undefined ? { email: email || null } : {}),
    ...(address ? { address: JSON.stringify(address) } : {}),
  };
}
/** The general settings that are columns of the company. */
const settingsIn = ({ timezone, links_enabled }: CompanyPatch) =>
  Object.fromEntries(
    Object.entries({ timezone, links_enabled }).filter(([, value]) => value !== undefined),
  );

/** Changes a company's details and custom fields and writes what changed to the audit log. */
export async function updateCompany(
  ctx: TxCtx,
  body: Body<typeof contract.updateCompany>,
): Promise<Answer<typeof contract.updateCompany>> {
  const before = (await companyRow(ctx.tx, ctx.companyId)) ?? notFound();
  const values = body.eav_attribute_values
    ? await setValues(ctx, entityOf.company, ctx.companyId, body.eav_attribute_values, {
        at: 'eav_attribute_values',
      })
    : [];
  const patch = companyPatchOf(body);
  const after = await patchCompany(ctx.tx, ctx.companyId, patch, ctx.now);
  await writeValues(ctx.tx, { companyId: ctx.companyId, organizationId: null }, settingsIn(patch), {
    by: ctx.actor.userId || null,
    now: ctx.now,
  });
  const changed = Object.keys(body).filter((k) => k in before) as (keyof typeof before)[];
  await audit(ctx, 'company.updated', `company:${ctx.companyId}`, {
    before: Object.fromEntries([
      ...changed.map((k) => [k, before[k]] as const),
      ...values.map((v) => [v.field.key, v.before] as const),
    ]),
    after: Object.fromEntries([
      ...changed.map((k) => [k, after[k]] as const),
      ...values.map((v) => [v.field.key, v.after] as const),
    ]),
  });
  await ctx.publish(contract.companyChanged, { companyId: ctx.companyId });
  return getCompany(ctx);
}

/**
 * Creates a company owned by the user (A §4). `not_found` for an organization that the user doesn't
 * administer.
 */
export async function createCompany(
  ctx: Ctx,
  body: Body<typeof contract.createCompany>,
): Promise<Answer<typeof contract.createCompany>> {
  const { organization_id, name, ...info } = body.company_info;
  if (organization_id && !ctx.actor.adminMode) {
    if (!(await isOrganizationAdmin(ctx.db.unscoped, organization_id, ctx.actor.userId)))
      notFound();
  }
  const row = await ctx.db.systemTransaction(async (tx) => {
    const company = await insertCompany(tx, {
      ...companyPatchOf(info),
      name,
      organization_id: organization_id ?? null,
      billing_info: JSON.stringify(withoutCard(body.billing_info ?? {})),
      created_at: ctx.now,
    });
    await requireOwnNetwork(tx, company.id, ctx.origin?.ip ?? null);
    await insertMembership(tx, {
      company_id: company.id,
      user_id: ctx.actor.userId,
      role: 'owner',
    });
    const scope = { tx, companyId: company.id, actor: ctx.actor, now: ctx.now };
    await setValues(
      scope,
      entityOf.company,
      company.id,
      body.eav_attributes ?? info.eav_attribute_values ?? [],
      { at: 'eav_attributes' },
    );
    return {
      made: company,
      values: await valuesOfOne(scope, entityOf.company, company.id),
    };
  });
  return {
    data: presentCompany(row.made, 'owner', 1, { numbers: 0, contacts: 0, unread: 0 }, row.values),
  };
}
/** Card numbers are never stored (A19.3). */
const withoutCard = (billing: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(billing).filter(([k]) => !k.startsWith('cc_')));

/**
 * Deletes a company without activity. Fails with `company.has_activity` when any table still refers
 * to it.
 */
export async function deleteCompany(ctx: Ctx): Promise<void> {
  try {
    await ctx.transaction(async (t) => {
      await deleteKeysOfCompany(t.tx, t.companyId);
      await removeCompany(t.tx, t.companyId);
    });
  } catch (error) {
    // A foreign key: some table still refers to the company.
    if ((error as { code?: string }).code === '23503') fail('company.has_activity');
    throw error;
  }
}
