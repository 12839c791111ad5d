/** Call status codes (A §4), as defined in decisions A5.1. 5 and 9 apply to legs only. */
export const callStatusLabels = {
  1: 'Started',
  2: 'Extension Selected',
  3: 'Hangup',
  4: 'Voicemail',
  5: 'No Answer',
  6: 'Received',
  7: 'Rejected',
  8: 'No Answer',
  9: 'Answered Already',
  10: 'Missed',
  11: 'Hangup',
  12: 'Connected',
  13: 'Blocked',
} as const;

export type CallStatus = keyof typeof callStatusLabels;

/** Call outcome codes (A §4). */
const callOutcomes = { none: 0, answered: 1, missed: 2, voicemail: 3, blocked: 4 } as const;

export type CallOutcome = (typeof callOutcomes)[keyof typeof callOutcomes];

export const callOutcomeLabels: Record<CallOutcome, string> = {
  0: 'In progress',
  1: 'Answered',
  2: 'Missed',
  3: 'Voicemail',
  4: 'Blocked',
};

/** Final status of a call → its outcome (A5.1); 0 for a status that is not final. */
export const outcomeOfStatus: Record<CallStatus, CallOutcome> = {
  1: 0,
  2: 0,
  3: 2,
  4: 3,
  5: 0,
  6: 1,
  7: 2,
  8: 2,
  9: 0,
  10: 2,
  11: 2,
  12: 1,
  13: 4,
};

/** B §3 enums. */
export const departments = [
  'sales',
  'service',
  'parts',
  'trade',
  'credit',
  'body_shop',
  'admin',
  'accessories',
  'hr',
  'custom_shop',
  'rentals',
  'unknown',
  'quick_lube',
] as const;

export const outcomeTags = [
  'appt_booked',
  'vehicle_ordered',
  'parts_ordered',
  'get_back_commitment',
  'not_opportunity',
  'opportunity',
  'unknown',
] as const;

export const lookupErrors = ['lookup.not_configured', 'lookup.not_found', 'lookup.away'] as const;

/** The largest value that a call can be given: a billion dollars. */
export const maxCallValueCents = 100_000_000_000;
