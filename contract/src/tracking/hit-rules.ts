/** What a page sends after its visit was opened: "hits". Sessions are counted beside them. */
export const hitKinds = ['session', 'pageview', 'event', 'heartbeat'] as const;
export type HitKind = (typeof hitKinds)[number];

/** The steps that each hit goes through, in this order; each may drop it. */
export const hitSteps = ['bot', 'origin', 'consent', 'region', 'source', 'lease', 'write'] as const;
export type HitStep = (typeof hitSteps)[number];

/** Why a step didn't count a hit. */
export const dropReasons = [
  'bot',
  'unknown_visit',
  'no_pool',
  'wrong_site',
  'no_consent',
  'do_not_track',
  'unreadable_page',
  'visit_over',
  'too_many',
  'not_storable',
  'overloaded',
] as const;
export type DropReason = (typeof dropReasons)[number];

/** The most page views, and the most events, that are stored of one visit (A8.3). */
export const hitsPerVisit = 50;

/** The most keys of an event's data, and the most characters of one of its values. */
export const eventDataLimits = { keys: 20, characters: 500 } as const;
