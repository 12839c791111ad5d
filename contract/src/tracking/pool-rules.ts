export const poolStatuses = ['active', 'paused', 'archived'] as const;
export type PoolStatus = (typeof poolStatuses)[number];

/** `visitor`: each visitor gets a number of their own; `source`: all of a source get the same. */
export const poolModes = ['visitor', 'source'] as const;
export type PoolMode = (typeof poolModes)[number];

export const slotStates = ['free', 'leased', 'quarantine', 'static'] as const;
export type SlotState = (typeof slotStates)[number];

/** What a visitor gets when no number is free: the default number, or one that another has. */
export const exhaustedPolicies = ['fallback', 'share'] as const;

export const attributionModels = [
  'first_touch',
  'last_touch',
  'last_non_direct',
  'lead_creation',
  'first_and_lead',
  'linear',
  'position_based',
  'time_decay',
  'w_shaped',
] as const;
export type AttributionModel = (typeof attributionModels)[number];

/**
 * Why a model gives credit as another does: no visit led to the first call of this person (then the
 * first visit counts), or no call was qualified (then W-shaped is position-based).
 */
export const creditFallbacks = ['lead_unknown', 'qualified_unknown'] as const;
export type CreditFallback = (typeof creditFallbacks)[number];

export const poolLimits = { pools: 100, numbers: 250 } as const;

/** Why a pool isn't asked for a visit. */
export const skipReasons = [
  'paused',
  'archived',
  'other_domain',
  'path_not_included',
  'path_excluded',
  'other_source',
  'no_numbers',
  'less_specific',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a visitor gets this number; `default` and `shared`: none was free. */
export const choiceReasons = ['static', 'idle_longest', 'shared', 'default', 'none'] as const;
export type ChoiceReason = (typeof choiceReasons)[number];

/**
 * How many numbers a pool should have: 1.3 times the most sessions at once in seven days and one
 * more, at least four (A8.1).
 */
export const recommendedSize = (peakConcurrent: number): number =>
  Math.max(4, Math.ceil(peakConcurrent * 1.3) + 1);
