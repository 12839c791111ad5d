import { departments, outcomeTags } from '../../calls/rules.ts';
import { attributionModels } from '../../tracking/pool-rules.ts';
import { answerStatuses, callGroups, callTargets, sentiments } from './rules.ts';

/** The choices of the screen of call reports, as they are in its address and in a favorite. */
export const startChoices = {
  /** All companies of this organization; empty: the selected company. */
  organization: '',
  /** One of them. */
  company: '',
  group: 'day',
  target: 'calls',
  period: 'month',
  from: '',
  to: '',
  direction: 'inbound',
  status: '',
  number: '',
  source: '',
  model: '',
  department: '',
  first: '',
  qualified: '',
  /** A list of which a phrase was said. */
  phrases: '',
  mood: '',
  /** What came of it: a tag of the outcome. */
  tag: '',
};
export type ReportChoices = typeof startChoices;

const oneOf = <T extends string>(list: readonly T[], value: string): T | undefined =>
  list.find((one) => one === value);

/** What was said, as choices of call reports and of the dashboard limit calls by it. */
export function saidInChoices({
  phrases,
  mood,
  tag,
}: Pick<ReportChoices, 'phrases' | 'mood' | 'tag'>) {
  const list = Number(phrases);
  const sentiment = oneOf(sentiments, mood);
  const outcome = oneOf(outcomeTags, tag);
  return {
    ...(Number.isSafeInteger(list) && list > 0 && { phrase_list_ids: [list] }),
    ...(sentiment && { sentiments: [sentiment] }),
    ...(outcome && { outcomes: [outcome] }),
  };
}

const idIn = (text: string): number | null => {
  const id = Number(text);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
};

/** Whose calls choices mean. Numbers and phrase lists belong to one company. */
function whoseInChoices({ organization, company, number }: ReportChoices): {
  number_ids?: number[];
  business_unit_ids?: number[];
  company_ids?: number[];
} {
  const [unit, one, of] = [organization, company, number].map(idIn);
  if (!unit) return { ...(of && { number_ids: [of] }) };
  return { business_unit_ids: [unit], ...(one && { company_ids: [one] }) };
}

/** The question that choices ask of any days. What isn't a choice counts as not chosen. */
export function questionOfChoices(choices: ReportChoices) {
  const status = oneOf(answerStatuses, choices.status);
  const department = oneOf(departments, choices.department);
  const model = oneOf(attributionModels, choices.model);
  const whose = whoseInChoices(choices);
  return {
    group: oneOf(callGroups, choices.group) ?? 'day',
    target: oneOf(callTargets, choices.target) ?? 'calls',
    direction: oneOf(['inbound', 'outbound', 'all'] as const, choices.direction) ?? 'inbound',
    ...(status && { answer_status: [status] }),
    ...(department && { departments: [department] }),
    ...whose,
    ...(choices.source && { sources: [choices.source] }),
    ...(model && { attribution_model: model }),
    ...(choices.first && { first_contact: choices.first === 'yes' }),
    ...(choices.qualified && { qualified: choices.qualified === 'yes' }),
    ...saidInChoices({
      ...choices,
      ...(whose.business_unit_ids && { phrases: '' }),
    }),
  };
}

export const callPeriods = ['today', 'week', 'month', 'quarter', 'year', 'custom'] as const;
export type CallPeriod = (typeof callPeriods)[number];
const days = { today: 1, week: 7, month: 30, quarter: 90, year: 365, custom: 30 } as const;

/** Whether it is a day of the calendar as `2026-11-21`, which February 31 isn't. */
export const isDay = (text: string): boolean => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

/** Choices of days, as they are in an address. */
export interface DayChoices {
  period: string;
  /** The first and last of chosen days, with the period `custom`. */
  from: string;
  to: string;
}

/**
 * The days that choices mean, of a period those that end `today` (YYYY-MM-DD). Chosen days that are
 * cleared or in the wrong order are those that the period starts from.
 */
export function daysOfChoices({ period: chosen, from, to }: DayChoices, today: string) {
  const period = oneOf(callPeriods, chosen) ?? 'month';
  const isChosen = period === 'custom' && isDay(from) && isDay(to) && from <= to;
  const start = new Date(Date.parse(today) - (days[period] - 1) * 86_400_000);
  const range = isChosen
    ? { start: from, end: to }
    : { start: start.toISOString().slice(0, 10), end: today };
  return { period, range };
}
