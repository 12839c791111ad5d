import { sql } from 'kysely';
import type { DescribedEndpoint } from '#contract';
import {
  features,
  featuresOfEndpoint,
  isFeatureOn,
  isLackedByPlan,
  type FeatureName,
} from '#contract/numbers/features/rules';
import type { Actor } from '../context.ts';
import type { Db } from '../db.ts';
import { fail } from '../errors.ts';

/**
 * Refuses what belongs to a feature that is off in the company, whoever asks: also platform staff. A key
 * or a program needs the feature of its own as well.
 * @param companyId 0: none, so nothing can be off
 * @throws ApiError `feature.off` or `feature.plan`
 */
export async function requireFeatures(
  db: Db,
  e: DescribedEndpoint,
  actor: Actor,
  companyId: number,
): Promise<void> {
  const needed: FeatureName[] = [...featuresOfEndpoint(e.name)];
  // A remote login has scopes like a program, and is a person.
  if (actor.scopes && !actor.admin) needed.push('api-access');
  if (!companyId || !needed.length) return;
  const own = actor.memberships.find((access) => access.companyId === companyId)?.switches;
  const settings = own ?? (await settingsOf(db, companyId));
  const off = needed.find((name) => !isFeatureOn(settings, name));
  if (!off) return;
  const code = isLackedByPlan(settings, off) ? 'feature.plan' : 'feature.off';
  fail(code, { feature: features[off].label });
}

async function settingsOf(db: Db, companyId: number): Promise<unknown> {
  const { rows } = await sql<{ settings: unknown }>`
    select settings from company where id = ${companyId}`.execute(db.unscoped);
  return rows[0]?.settings;
}
