import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { organizationWithCompanies } from '../../companies/index.ts';
import { namesOf, namesOfPeople } from './store-names.ts';

// The system role: organizations are above companies and people belong to none; only the organization
// of a company that the actor counts, and who took or placed its calls, is named.

/** The names of what a group's keys are IDs of, in a company; others are left out. */
export async function namesOfKeys(
  { tx, db }: Pick<TxCtx, 'tx' | 'db'>,
  { id, organizationId }: { id: number; organizationId: number | null },
  group: CallGroup,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (group === 'user') return keys.length ? namesOfPeople(db.unscoped, keys) : new Map();
  if (group !== 'business_unit') return namesOf(tx, id, group, keys);
  const unit =
    organizationId === null
      ? undefined
      : await organizationWithCompanies(db.unscoped, organizationId);
  return new Map(unit ? [[String(unit.id), unit.name]] : []);
}
