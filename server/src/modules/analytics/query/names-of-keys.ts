import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { organizationWithCompanies } from '../../companies/index.ts';
import type { CompanyPlaced } from './placed-companies.ts';
import { namesOf, namesOfPeople } from './store-names.ts';

// The system role: organizations are above companies and people belong to none; only organizations
// of companies that the actor counts, and who took or placed their calls, are named.

/** A name, and of several companies the one that the thing belongs to; null: it is plain. */
interface NameOfKey {
  name: string;
  company: string | null;
}

/** The names of what a group's keys are IDs of, in these companies; others are left out. */
export async function namesOfKeys(
  { tx, db }: Pick<TxCtx, 'tx' | 'db'>,
  companies: readonly CompanyPlaced[],
  group: CallGroup,
  keys: readonly string[],
): Promise<Map<string, NameOfKey>> {
  if (group === 'user')
    return keys.length ? alone(await namesOfPeople(db.unscoped, keys)) : new Map();
  if (group !== 'business_unit') {
    const owners = new Map(companies.map(({ id, name }) => [id, name]));
    const found = await namesOf(tx, [...owners.keys()], group, keys);
    const isOne = owners.size === 1;
    return new Map(
      [...found].map(([key, { name, companyId }]) => [
        key,
        { name, company: isOne || companyId === null ? null : (owners.get(companyId) ?? null) },
      ]),
    );
  }
  const units = new Set(companies.flatMap(({ organizationId }) => organizationId ?? []));
  const names = new Map<string, string>();
  for (const id of units) {
    const unit = await organizationWithCompanies(db.unscoped, id);
    if (unit) names.set(String(unit.id), unit.name);
  }
  return alone(names);
}

const alone = (names: ReadonlyMap<string, string>): Map<string, NameOfKey> =>
  new Map([...names].map(([key, name]) => [key, { name, company: null }]));
