import type { FeatureName } from '../numbers/features/rules.ts';

/**
 * The plan catalogue (A19.1). Prices are placeholders: an operator edits this file. Browsers load
 * it.
 */

export const planAudiences = ['business', 'caddy', 'both'] as const;
export const planIntervals = ['month', 'year'] as const;
export type PlanInterval = (typeof planIntervals)[number];

/** What a plan holds a number of. */
export const planComponents = {
  numbers: 'Phone numbers',
  seats: 'People',
  voice_minutes: 'Call minutes',
  text_credits: 'Text credits',
  tracking_pools: 'Tracking pools',
  transcription_minutes: 'Transcription minutes',
} as const;
export type PlanComponent = keyof typeof planComponents;
export const planComponentNames = Object.keys(planComponents) as PlanComponent[];

/** What a plan can do that a smaller one can't. */
export const planFeatures = {
  slack: 'Slack',
  campaigns: 'Campaigns',
  google_analytics: 'Google Analytics 4',
  voicemail_text: 'Voicemail as text',
  transcription: 'Call transcription',
  call_tracking: 'Call tracking',
  ads: 'Google and Microsoft Ads',
  crm: 'CRM integrations',
  ai_fields: 'Fields filled by AI',
  adf: 'Leads as ADF',
} as const;
export type PlanFeature = keyof typeof planFeatures;
/** The switches of the product that follow a plan: off while it has none of these. */
const switchedBy: Partial<Record<FeatureName, readonly PlanFeature[]>> = {
  campaigns: ['campaigns'],
  dni: ['call_tracking'],
  // Voicemails are transcribed by smaller plans than calls.
  'call-transcription': ['transcription', 'voicemail_text'],
  'ai-eav': ['ai_fields'],
};
/** The switches that are off under a plan with these features. */
export const lackingFeatures = (has: readonly PlanFeature[]): FeatureName[] =>
  (Object.keys(switchedBy) as FeatureName[]).filter(
    (name) => !switchedBy[name]?.some((feature) => has.includes(feature)),
  );
export const planFeatureNames = Object.keys(planFeatures) as PlanFeature[];

export const planIds = [
  'starter',
  'unlimited',
  'unlimited_monthly',
  'unlimited_yearly',
  'premium_monthly',
  'premium_yearly',
  'deluxe_monthly',
  'deluxe_yearly',
] as const;
export type PlanId = (typeof planIds)[number];

export interface Plan {
  identifier: PlanId;
  name: string;
  audience: (typeof planAudiences)[number];
  interval: PlanInterval;
  /** For the whole interval. */
  price_cents: number;
  currency: 'USD';
  /** Null: as many as one likes. */
  included: Record<PlanComponent, number | null>;
  features: readonly PlanFeature[];
  /** No longer sold; who has it keeps it. */
  is_legacy: boolean;
  is_public: boolean;
  trial_days: number;
  /** The same plan paid by the year; null: it is paid so already, or can't be. */
  yearly_counterpart: PlanId | null;
}

/** Days before the first plan of a company is charged. */
export const trialDays = 14;

const tiers = {
  starter: {
    name: 'Starter',
    rank: 1,
    included: [1, 3, 500, 50, 0, 0],
    features: ['slack'],
  },
  unlimited_legacy: {
    name: 'Unlimited (legacy)',
    rank: 2,
    included: [2, null, 5000, 500, 0, 0],
    features: ['slack', 'campaigns'],
  },
  unlimited: {
    name: 'Unlimited',
    rank: 3,
    included: [3, null, 5000, 500, 0, 0],
    features: ['slack', 'google_analytics', 'campaigns', 'voicemail_text'],
  },
  premium: {
    name: 'Premium',
    rank: 4,
    included: [10, null, 10_000, 1000, 1, 500],
    features: [
      'slack',
      'google_analytics',
      'campaigns',
      'voicemail_text',
      'transcription',
      'call_tracking',
      'ads',
      'crm',
    ],
  },
  deluxe: {
    name: 'Deluxe',
    rank: 5,
    included: [25, null, 20_000, 2500, 5, 2000],
    features: planFeatureNames,
  },
} as const satisfies Record<
  string,
  {
    name: string;
    rank: number;
    /** In the order of `planComponents`. */
    included: readonly (number | null)[];
    features: readonly PlanFeature[];
  }
>;

const tierOf: Record<PlanId, keyof typeof tiers> = {
  starter: 'starter',
  unlimited: 'unlimited_legacy',
  unlimited_monthly: 'unlimited',
  unlimited_yearly: 'unlimited',
  premium_monthly: 'premium',
  premium_yearly: 'premium',
  deluxe_monthly: 'deluxe',
  deluxe_yearly: 'deluxe',
};
const pricesCents: Record<PlanId, number> = {
  starter: 1900,
  unlimited: 2900,
  unlimited_monthly: 3900,
  unlimited_yearly: 12 * 3300,
  premium_monthly: 7900,
  premium_yearly: 12 * 6600,
  deluxe_monthly: 14_900,
  deluxe_yearly: 12 * 12_400,
};

const planOf = (identifier: PlanId): Plan => {
  const tier = tiers[tierOf[identifier]];
  const isLegacy = identifier === 'unlimited';
  const yearly = planIds.find(
    (other) =>
      identifier.endsWith('_monthly') && other === identifier.replace('_monthly', '_yearly'),
  );
  return {
    identifier,
    name: tier.name,
    audience: isLegacy ? 'business' : 'both',
    interval: identifier.endsWith('_yearly') ? 'year' : 'month',
    price_cents: pricesCents[identifier],
    currency: 'USD',
    included: Object.fromEntries(
      planComponentNames.map((component, i) => [component, tier.included[i]]),
    ) as Plan['included'],
    features: tier.features,
    is_legacy: isLegacy,
    is_public: !isLegacy,
    trial_days: trialDays,
    yearly_counterpart: yearly ?? null,
  };
};

export const plans: Readonly<Record<PlanId, Plan>> = Object.fromEntries(
  planIds.map((identifier) => [identifier, planOf(identifier)]),
) as Record<PlanId, Plan>;

/** Above another plan of the same interval it has more; of the same rank only the interval differs. */
export const planRank = (identifier: PlanId): number => tiers[tierOf[identifier]].rank;

/**
 * Whether a change takes effect now: to a plan with more, or to the same one paid by the year. Others
 * wait for the end of the period that was paid.
 */
export const isUpgrade = (from: PlanId, to: PlanId): boolean =>
  planRank(to) > planRank(from) ||
  (planRank(to) === planRank(from) &&
    plans[to].interval === 'year' &&
    plans[from].interval === 'month');

/** What is lost with a change. */
export const featuresLost = (from: PlanId, to: PlanId): PlanFeature[] =>
  plans[from].features.filter((feature) => !plans[to].features.includes(feature));
