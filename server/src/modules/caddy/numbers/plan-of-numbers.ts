import { freePlan, replacements } from '#contract/caddy/rules';
import { plans, type PlanId } from '#contract/billing/rules';
import type { Tx } from '../../../platform/db.ts';
import { planOf } from '../present.ts';

interface Allowance {
  isPaid: boolean;
  /** Active numbers. */
  numbers: number;
  /** Exchanges in 30 days. */
  replacements: number;
}

/** What the plan of an account allows. */
export async function allowanceOf(tx: Tx, accountId: number): Promise<Allowance> {
  const { plan } = await planOf(tx, accountId);
  if (plan === 'free')
    return { isPaid: false, numbers: freePlan.numbers, replacements: replacements.free };
  // The names of plans are those of the catalogue.
  const { included } = plans[plan as PlanId];
  return {
    isPaid: true,
    numbers: included.numbers ?? Number.MAX_SAFE_INTEGER,
    replacements: replacements.paid,
  };
}
