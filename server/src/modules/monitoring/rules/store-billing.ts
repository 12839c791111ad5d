/** Rules about a company's plan: how far it is used up, and what it spends beyond it. */
import { formatMoney } from '#contract';
import { planUsage } from '../../billing/index.ts';
import { aboutCompany, type Look, type Rule } from './finding.ts';

const near = 80;
const full = 100;
const usageOf = ({ tx, company, now }: Look) => planUsage({ tx, companyId: company.id, now });
const count = new Intl.NumberFormat('en-US');

/** What of a plan is used to at least `least` percent, and less than `below`. */
const partsUsed =
  (least: number, below: number): Rule =>
  async (look) => {
    const pools = ((await usageOf(look))?.pools ?? []).filter(
      ({ used, included }) => used * 100 >= least * included && used * 100 < below * included,
    );
    const percent = Math.max(0, ...pools.map(({ used, included }) => (used * 100) / included));
    if (!pools.length) return [];
    const parts = pools.map(
      ({ label, used, included }) =>
        `${label}: ${count.format(used)} of ${count.format(included)}.`,
    );
    return aboutCompany(look, parts.join(' '), {
      name: 'used of the plan',
      value: Math.floor(percent),
      threshold: least,
      unit: '%',
      window: 'this period',
    });
  };

/** Parts of the plan that are nearly used up. */
export const planNearlyUsed = partsUsed(near, full);
/** Parts of the plan that are used up. */
export const planUsedUp = partsUsed(full, Infinity);

const spent =
  (least: number, below: number): Rule =>
  async (look) => {
    const spend = (await usageOf(look))?.spend;
    if (!spend?.limit) return [];
    const percent = (spend.cents * 100) / spend.limit;
    if (percent < least || percent >= below) return [];
    return aboutCompany(
      look,
      `${formatMoney(spend.cents)} of the spending limit of ${formatMoney(spend.limit)} is used.`,
      {
        name: 'spent beyond the plan',
        value: spend.cents / 100,
        threshold: (spend.limit * least) / 10_000,
        unit: 'USD',
        window: 'this period',
      },
    );
  };

/** Most of the spending limit is used. */
export const spendLimitNear = spent(near, full);
/** The spending limit is reached, so that nothing more is used that costs. */
export const spendLimitReached = spent(full, Infinity);
