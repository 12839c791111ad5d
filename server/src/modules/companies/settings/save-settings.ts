import { invalid } from '../../../platform/errors.ts';
import type { Tx } from '../../../platform/db.ts';
import { isInNetworks, networksOf, networksProblem } from '../session-policies.ts';
import {
  lockCompaniesOf,
  networksOfCompanies,
  writeEffective,
  writeValues,
  type SettingChange,
  type SettingOwner,
} from './store-settings.ts';

/** Who changes settings and from where. `ip` null: nobody who could lock themselves out. */
interface By {
  by: number | null;
  ip: string | null;
  now: Date;
}

/**
 * Sets settings (null: inherited again) and recomputes the effective copy of every company
 * concerned, in this transaction of the system role. Changes of different keys at once both stay.
 * Returns what changed and the companies; none changed: no companies. Fails with a field error for
 * networks that don't contain the address of whoever changes them.
 */
export async function saveSettings(
  tx: Tx,
  owner: SettingOwner,
  values: Readonly<Record<string, unknown>>,
  by: By,
): Promise<{ changes: SettingChange[]; companyIds: number[] }> {
  const companyIds = await lockCompaniesOf(tx, owner);
  const changes = await writeValues(tx, owner, values, by);
  if (!changes.length) return { changes, companyIds: [] };
  // Also where the value reaches no company yet: the next one would be locked out.
  const set = changes.find(({ key, after }) => key === 'allowed_ip_ranges' && after !== null);
  if (set) refuseOwnLockout(networksOf({ allowed_ip_ranges: set.after }), by.ip);
  await recomputeSettings(tx, companyIds, by);
  return { changes, companyIds };
}

/**
 * Recomputes the effective settings of companies, also after they came to an organization or left
 * one. Needs the system role. Every change of a company's networks goes through here, by whatever
 * scope or path, so here it is refused when it would exclude whoever makes it.
 */
export async function recomputeSettings(
  tx: Tx,
  companyIds: readonly number[],
  { ip, now }: Pick<By, 'ip' | 'now'>,
): Promise<void> {
  const before = await networksOfCompanies(tx, companyIds);
  await writeEffective(tx, companyIds, now);
  for (const [id, networks] of await networksOfCompanies(tx, companyIds))
    if (JSON.stringify(networks) !== JSON.stringify(before.get(id)))
      refuseOwnLockout(networksOf({ allowed_ip_ranges: networks }), ip);
}

function refuseOwnLockout(networks: readonly string[], ip: string | null): void {
  const problem = ip === null ? null : networksProblem(networks, ip);
  if (problem) invalid({ allowed_ip_ranges: problem });
}

/** Fails like `saveSettings` when a new company's networks keep out whoever makes it. */
export async function requireOwnNetwork(
  tx: Tx,
  companyId: number,
  ip: string | null,
): Promise<void> {
  const found = (await networksOfCompanies(tx, [companyId])).get(companyId);
  refuseOwnLockout(networksOf({ allowed_ip_ranges: found }), ip);
}

/**
 * Drops a company's own list of networks when it keeps this address out. Returns the list; null: it
 * doesn't, and nothing changed. Needs the system role.
 */
export async function dropExcludingNetworks(
  tx: Tx,
  companyId: number,
  by: By,
): Promise<readonly string[] | null> {
  const found = (await networksOfCompanies(tx, [companyId])).get(companyId);
  const networks = networksOf({ allowed_ip_ranges: found });
  if (!networks.length || (by.ip !== null && isInNetworks(by.ip, networks))) return null;
  const owner = { companyId, organizationId: null };
  const changes = await writeValues(tx, owner, { allowed_ip_ranges: null }, by);
  await writeEffective(tx, [companyId], by.now);
  return changes.length ? networks : null;
}
