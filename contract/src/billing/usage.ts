import type { Plan, PlanComponent } from './plans.ts';

/** What is counted, in the order in which it draws on what a plan includes: the dearest first. */

interface UsageRule {
  label: string;
  unit: string;
  /** Beyond what the plan includes. */
  unit_cents: number;
  /** What of the plan it draws on; null: the plan includes none. */
  draws: PlanComponent | null;
  /** Counted as it stands, not added up over the period. */
  level: boolean;
}

export const usageComponents = {
  seats: { label: 'People', unit: 'people', unit_cents: 0, draws: 'seats', level: true },
  numbers_toll_free: {
    label: 'Toll-free numbers',
    unit: 'numbers',
    unit_cents: 500,
    draws: 'numbers',
    level: true,
  },
  numbers_local: {
    label: 'Local numbers',
    unit: 'numbers',
    unit_cents: 200,
    draws: 'numbers',
    level: true,
  },
  numbers_fax: {
    label: 'Fax numbers',
    unit: 'numbers',
    unit_cents: 200,
    draws: 'numbers',
    level: true,
  },
  pool_numbers: {
    label: 'Numbers of tracking pools',
    unit: 'numbers',
    unit_cents: 150,
    draws: 'numbers',
    level: true,
  },
  voice_minutes_toll_free: {
    label: 'Minutes on toll-free numbers',
    unit: 'minutes',
    unit_cents: 5,
    draws: 'voice_minutes',
    level: false,
  },
  voice_minutes: {
    label: 'Minutes of inbound calls',
    unit: 'minutes',
    unit_cents: 4,
    draws: 'voice_minutes',
    level: false,
  },
  outbound_minutes: {
    label: 'Minutes of outbound and forwarded calls',
    unit: 'minutes',
    unit_cents: 4,
    draws: 'voice_minutes',
    level: false,
  },
  text_credits: {
    label: 'Text credits',
    unit: 'credits',
    unit_cents: 4,
    draws: 'text_credits',
    level: false,
  },
  mms: {
    label: 'Texts with pictures',
    unit: 'texts',
    unit_cents: 0,
    // Their credits are counted with the others.
    draws: null,
    level: false,
  },
  fax_pages: { label: 'Fax pages', unit: 'pages', unit_cents: 5, draws: null, level: false },
  transcription_minutes: {
    label: 'Transcribed minutes',
    unit: 'minutes',
    unit_cents: 3,
    draws: 'transcription_minutes',
    level: false,
  },
  ai_calls: {
    label: 'Calls read by AI',
    unit: 'calls',
    unit_cents: 2,
    draws: null,
    level: false,
  },
  caller_lookups: {
    label: 'Caller lookups',
    unit: 'lookups',
    unit_cents: 10,
    draws: null,
    level: false,
  },
  sms_registration_fee: {
    label: 'Text registration fees',
    // Passed on at cost.
    unit: 'cents',
    unit_cents: 1,
    draws: null,
    level: false,
  },
  storage_gb: { label: 'Storage', unit: 'GB', unit_cents: 0, draws: null, level: true },
} as const satisfies Record<string, UsageRule>;

export type UsageComponent = keyof typeof usageComponents;
export const usageComponentNames = Object.keys(usageComponents) as UsageComponent[];

export interface PricedUsage {
  component: UsageComponent;
  used: number;
  /** What the plan has left for it; null: no limit. */
  included: number | null;
  overage: number;
  overage_cents: number;
}

/** Counted to be seen: no plan limits it, and it costs nothing. */
const isFree = ({ draws, unit_cents }: UsageRule): boolean => draws === null && unit_cents === 0;
const allowanceOf = (
  { draws }: UsageRule,
  left: Partial<Record<PlanComponent, number | null>>,
): number | null => (draws === null ? 0 : (left[draws] ?? null));

/**
 * What usage costs beyond a plan. Components that draw on the same allowance share it, the dearest
 * first, so that the least is charged. Without a plan nothing is limited and nothing is charged.
 */
export function priceUsage(
  plan: Pick<Plan, 'included'> | null,
  used: Partial<Record<UsageComponent, number>>,
): PricedUsage[] {
  const left: Partial<Record<PlanComponent, number | null>> = { ...plan?.included };
  return usageComponentNames.map((component) => {
    const rule: UsageRule = usageComponents[component];
    const quantity = Math.max(0, used[component] ?? 0);
    const included = plan === null || isFree(rule) ? null : allowanceOf(rule, left);
    const overage = included === null ? 0 : Math.max(0, quantity - included);
    if (rule.draws !== null && included !== null)
      left[rule.draws] = Math.max(0, included - quantity);
    return {
      component,
      used: quantity,
      included,
      overage,
      overage_cents: overage * rule.unit_cents,
    };
  });
}
