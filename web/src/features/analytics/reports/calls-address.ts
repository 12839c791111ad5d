/** What a report or the dashboard is limited to, as its choices are in its address. */
export interface CallLimits {
  period: string;
  direction?: string;
  status?: string;
  number?: string;
  source?: string;
  phrases?: string;
  /** The list of calls has none of these filters. */
  mood?: string;
  tag?: string;
  department?: string;
  first?: string;
  qualified?: string;
  model?: string;
}

const outcomes = ['answered', 'missed', 'voicemail', 'blocked'];
/** Which filter of the list of calls a row is. */
const filterOf: Record<string, string> = {
  number: 'number',
  source: 'source',
  phrase_list: 'phrases',
  outcome: 'outcome',
};

/**
 * The list of calls of a row, where one shows just those, of the same days and limits; null: none
 * does.
 */
export function callsAddress(group: string, key: string, limits: CallLimits): string | null {
  const { period, direction = 'inbound', status, number, source, phrases } = limits;
  const { mood, tag, department, first, qualified, model } = limits;
  const filter = filterOf[group];
  if (!filter || key === '(none)' || period === 'year' || period === 'custom') return null;
  if ([mood, tag, department, first, qualified, model].some(Boolean)) return null;
  const chosen: Record<string, string> = {
    ...(number && { number }),
    ...(source && { source }),
    ...(phrases && { phrases }),
    ...(status && { outcome: outcomeKey(status) }),
    [filter]: filter === 'outcome' ? outcomeKey(key) : key,
    ...(direction !== 'all' && { direction }),
    period,
  };
  if (chosen['outcome'] === '0') return null;
  return `/activity/calls?${new URLSearchParams(chosen).toString()}`;
}

/** As the list of calls has it; `0`: it has no such filter. */
const outcomeKey = (name: string): string => String(outcomes.indexOf(name) + 1);
