/**
 * How a call was connected with a visit (A8.5): its number was shown to one visitor at that moment,
 * was shown to one lately, the caller is known from an earlier call, several visitors are possible,
 * or only the number says something.
 */
export const matchLabels = ['exact', 'recent', 'returning', 'ambiguous', 'number_level'] as const;
export type MatchLabel = (typeof matchLabels)[number];

/** What a visitor looked at the website with. */
export const devices = ['desktop', 'mobile', 'tablet'] as const;

export const matchKinds = ['call', 'text'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** What a match rests on. */
export const evidenceFacts = [
  'number_shown',
  'page_last_open',
  'number_hidden',
  'known_caller',
  'number_shared',
  'source_rule',
  'fixed_source',
] as const;
export type EvidenceFact = (typeof evidenceFacts)[number];
