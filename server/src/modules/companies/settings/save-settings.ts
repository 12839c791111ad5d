import type { Tx } from '../../../platform/db.ts';
import {
  lockCompaniesOf,
  writeEffective,
  writeValues,
  type SettingChange,
  type SettingOwner,
} from './store-settings.ts';

/**
 * Sets settings (null: inherited again) and recomputes the effective copy of every company
 * concerned, in this transaction of the system role. Changes of different keys at once both stay.
 * Returns what changed and the companies; none changed: no companies.
 */
export async function saveSettings(
  tx: Tx,
  owner: SettingOwner,
  values: Readonly<Record<string, unknown>>,
  by: { by: number | null; now: Date },
): Promise<{ changes: SettingChange[]; companyIds: number[] }> {
  const companyIds = await lockCompaniesOf(tx, owner);
  const changes = await writeValues(tx, owner, values, by);
  if (!changes.length) return { changes, companyIds: [] };
  await writeEffective(tx, companyIds, by.now);
  return { changes, companyIds };
}

/**
 * Recomputes the effective settings of companies, after they came to an organization or left one.
 * Needs the system role.
 */
export const recomputeSettings = writeEffective;
