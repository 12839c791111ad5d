/** What calls can be grouped by (A9.4). A call has every tag and is over every duration it exceeds. */
export const callGroups = [
  'day',
  'week',
  'month',
  'hour',
  'weekday',
  'number',
  'source',
  'campaign',
  'user',
  'forward',
  'extension',
  'company',
  'business_unit',
  'department',
  'outcome',
  'tag',
  'sentiment',
  'phrase_list',
  'geo_state',
  'geo_area',
  'dni_pool',
  'duration_bucket',
  'none',
] as const;
export type CallGroup = (typeof callGroups)[number];

/** Groups that follow time: their rows are in its order and none is left out. */
export const timeGroups = ['day', 'week', 'month', 'hour', 'weekday'] as const;
export type TimeGroup = (typeof timeGroups)[number];

/** Whether the rows of a group follow time. */
export const isTimeGroup = (group: CallGroup): group is TimeGroup =>
  (timeGroups as readonly CallGroup[]).includes(group);

/** Groups in which a call can be in several rows, or in none: rows don’t add up to all calls. */
export const overlappingGroups: ReadonlySet<CallGroup> = new Set([
  'tag',
  'phrase_list',
  'duration_bucket',
]);

/** The figure that `value` of each row is. */
export const callTargets = [
  'calls',
  'duration',
  'unique',
  'answer_rate',
  'qualified',
  'leads',
  'value',
] as const;
export type CallTarget = (typeof callTargets)[number];

export const answerStatuses = ['answered', 'missed', 'voicemail', 'blocked', 'running'] as const;
type AnswerStatus = (typeof answerStatuses)[number];
/** The outcome of a call as it is stored. */
export const outcomeOfAnswer: Record<AnswerStatus, number> = {
  running: 0,
  answered: 1,
  missed: 2,
  voicemail: 3,
  blocked: 4,
};

export const answererTypes = ['user', 'forward', 'app', 'voicemail'] as const;
export const sentiments = ['positive', 'neutral', 'negative', 'mixed', 'unknown'] as const;

/** Seconds of talk that a call can exceed; it counts in each that it does. */
export const durationBuckets = [30, 90, 120, 300] as const;

export const callAnalyticsLimits = {
  /** Of a period: two years. */
  days: 731,
  /** Rows of an answer; a file has all. */
  rows: 1000,
  /** Calls that a model of attribution is worked out for. */
  attributed: 50_000,
  /** Companies read at once. */
  companies: 500,
  /** Companies that a model or a data group is looked at in, one after another. */
  oneByOne: 50,
} as const;

/** The key of the row for calls without such a fact. */
export const noneKey = '(none)';

const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
/** The columns of a file, in their order when none are chosen. */
export const callReportColumns = [
  'key',
  'label',
  'calls',
  'answered',
  'missed',
  'voicemail',
  'blocked',
  'answer_rate',
  'unique',
  'first_time',
  'duration',
  'avg_duration',
  'avg_ring',
  'qualified',
  'leads',
  'value',
  ...weekdays,
  'over_30',
  'over_90',
  'over_120',
  'over_300',
] as const;
export type CallReportColumn = (typeof callReportColumns)[number];
