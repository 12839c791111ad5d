import type { Answer, settings as contract } from '#contract';
import { companySettingsOf, settingKeys, type SettingScope } from '#contract/settings/rules';
import type { Ctx } from '../../../platform/context.ts';
import { personById, fullName } from '../../identity/index.ts';
import { valuesFor, type SettingOwner, type SettingValueRow } from '../../companies/index.ts';

// The system role: runs before a company is chosen, or creates one.

const scopeOf = (row: SettingValueRow | undefined): SettingScope =>
  row?.company_id ? 'company' : row?.organization_id ? 'organization' : 'system';
const narrowest = (a: SettingValueRow, b: SettingValueRow): number =>
  Number(b.company_id !== null) - Number(a.company_id !== null) ||
  Number(b.organization_id !== null) - Number(a.organization_id !== null);

/** Names of people by ID; people who are gone are left out. */
export async function peopleNames(
  ctx: Ctx,
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const names = new Map<number, string>();
  for (const id of new Set(ids))
    if (id !== null) {
      const person = await personById(ctx.db.unscoped, id);
      if (person) names.set(id, fullName(person));
    }
  return names;
}

/** A person as an answer shows them; null: the system, or a person who is gone. */
export const presentBy = (id: number | null, names: ReadonlyMap<number, string>) => {
  const name = id === null ? undefined : names.get(id);
  return id === null || name === undefined ? null : { id, name };
};

/** The effective settings of their owner, each with where it is set. */
export async function presentSettings(
  ctx: Ctx,
  owner: SettingOwner,
): Promise<Answer<typeof contract.getGeneralSettings>> {
  const rows = (await valuesFor(ctx.db.unscoped, owner)).sort(narrowest);
  const set = new Map<string, SettingValueRow>();
  for (const row of rows) if (!set.has(row.key)) set.set(row.key, row);
  const effective = companySettingsOf(
    Object.fromEntries([...set].map(([key, row]) => [key, row.value])),
  );
  const names = await peopleNames(
    ctx,
    [...set.values()].map((row) => row.updated_by),
  );
  return {
    data: Object.fromEntries(
      settingKeys.map((key) => {
        const row = set.get(key);
        return [
          key,
          {
            value: effective[key],
            source: scopeOf(row),
            updated_at: row ? new Date(row.updated_at).toISOString() : null,
            updated_by: presentBy(row?.updated_by ?? null, names),
          },
        ];
      }),
    ),
  };
}
