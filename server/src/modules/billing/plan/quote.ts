import { isUpgrade, plans, type PlanId } from '#contract/billing/rules';
import { split } from '../../../platform/money.ts';
import type { NewLine } from '../invoices/store-invoices.ts';
import { planLine } from '../periods/close-period.ts';
import { nextPeriodEnd } from '../periods/period.ts';

/** A plan that is running, and its period. */
export interface RunningPlan {
  plan: PlanId;
  periodStart: Date;
  periodEnd: Date;
  isTrial: boolean;
  /** How far the clock of the account was moved. */
  movedDays: number;
}

export interface Quote {
  effective: 'now' | 'period_end';
  effectiveAt: Date;
  /** The invoice of the change; none: nothing is charged or credited. */
  lines: NewLine[];
  /** Above zero: for the time left of the old plan. */
  creditCents: number;
  /** The period that the change begins; null: the running one goes on. */
  newPeriod: { start: Date; end: Date } | null;
}

/** The part of a price that is left of a period, to the second. */
function partLeft(cents: number, { periodStart, periodEnd }: RunningPlan, now: Date): number {
  const whole = Math.round((periodEnd.getTime() - periodStart.getTime()) / 1000);
  const left = Math.min(
    whole,
    Math.max(0, Math.round((periodEnd.getTime() - now.getTime()) / 1000)),
  );
  return whole === 0 ? 0 : (split(cents, [whole - left, left])[1] ?? 0);
}

const line = (description: string, cents: number): NewLine => ({
  kind: 'proration',
  description,
  component: null,
  used: null,
  quantity: 1,
  unit_cents: cents,
  amount_cents: cents,
});

/**
 * What a change to another plan costs. A larger one begins now: the rest of the old one is credited
 * and the rest of the new one charged, or a whole period where the interval changes. A smaller one
 * waits. Within a trial nothing is charged.
 */
export function quoteChange(running: RunningPlan, to: PlanId, now: Date): Quote {
  const { plan: from, periodEnd, isTrial } = running;
  const later = { lines: [], creditCents: 0, newPeriod: null };
  if (isTrial) return { ...later, effective: 'now', effectiveAt: now };
  if (!isUpgrade(from, to)) return { ...later, effective: 'period_end', effectiveAt: periodEnd };
  const creditCents = partLeft(plans[from].price_cents, running, now);
  const credit = creditCents > 0 ? [line(`Unused time of ${plans[from].name}`, -creditCents)] : [];
  const isSame = plans[from].interval === plans[to].interval;
  const charge = partLeft(plans[to].price_cents, running, now);
  return {
    effective: 'now',
    effectiveAt: now,
    lines: isSame
      ? [
          ...(charge > 0 ? [line(`${plans[to].name} for the rest of the period`, charge)] : []),
          ...credit,
        ]
      : [planLine(to), ...credit],
    creditCents,
    newPeriod: isSame
      ? null
      : { start: now, end: nextPeriodEnd(now, plans[to].interval, now, running.movedDays) },
  };
}
