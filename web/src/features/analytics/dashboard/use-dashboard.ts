import { callAnalytics, dashboard, type Answer } from '#contract';
import { saidInChoices } from '#contract/analytics/call-analytics/report-choices';
import { comparisons, type DashboardType } from '#contract/analytics/dashboard/rules';
import { useApiQuery } from '#ui';
import { useCompanyDays } from '../reports/use-days.ts';
import { useScope } from '../reports/use-scope.ts';
import type { DashboardChoices } from './choices.ts';

/** One part of the dashboard, of both periods. */
export type Board = Answer<typeof dashboard.getDashboard>;
export type BoardRow = Board['data'][number];

interface Filters extends ReturnType<typeof saidInChoices> {
  business_unit_ids?: number[];
  company_ids?: number[];
  number_ids?: number[];
  sources?: string[];
}

/** The question that all parts of the dashboard ask, each by its own group. */
export function useQuestion(choices: DashboardChoices) {
  const { scopes, organization, isReady: isScopeReady } = useScope(choices);
  const days = useCompanyDays(choices, organization?.timezone);
  const { companyId, tz, today, period, range } = days;
  const compare = comparisons.find((one) => one === choices.against) ?? 'previous';
  const chosen = (id: string): number[] | null => (Number(id) > 0 ? [Number(id)] : null);
  const company = organization && chosen(choices.company);
  // Numbers belong to one company.
  const number = organization ? null : chosen(choices.number);
  const { phrases, mood, tag } = choices;
  const filters: Filters = {
    ...saidInChoices({ phrases: organization ? '' : phrases, mood, tag }),
    ...(organization && { business_unit_ids: [organization.id] }),
    ...(company && { company_ids: company }),
    ...(number && { number_ids: number }),
    ...(choices.source && { sources: [choices.source] }),
  };
  return {
    ...{
      companyId,
      companyName: days.company?.name ?? '',
      tz,
      today,
      period,
      range,
      compare,
      filters,
    },
    ...{ organization, scopes, choices },
    isReady: days.isReady && isScopeReady,
  };
}

export type Question = ReturnType<typeof useQuestion>;

type BoardGroup = 'day' | 'hour' | 'tag' | 'company' | 'sentiment' | 'phrase_list';

/** Figures of one type, compared with as much of the other period. */
export const useBoard = (type: DashboardType, question: Question, groupBy?: BoardGroup) =>
  useApiQuery(dashboard.getDashboard, boardAsked(type, question, groupBy), {
    silent: true,
    staleTime: 15_000,
    enabled: question.isReady,
  });

/** The request of one part. */
export const boardAsked = (
  type: DashboardType,
  { companyId, tz, range, compare, filters }: Question,
  groupBy?: BoardGroup,
) => ({
  body: {
    company_id: companyId,
    type,
    ...(groupBy && { groupBy }),
    ...range,
    tz,
    compare,
    sameTime: true,
    unique: false,
    filters,
  },
});

/** Calls by company, of all that the organization's dashboard counts. */
export const useCompanies = (question: Question) =>
  useBoard('calls', ofAllCompanies(question), 'company');

/** The question of all companies, also while one of them is chosen. */
export function ofAllCompanies(question: Question): Question {
  const { company_ids: _, ...filters } = question.filters;
  return { ...question, filters, isReady: question.isReady && question.organization !== null };
}

/** Calls by the caller's state. */
export const useStates = (question: Question) =>
  useApiQuery(callAnalytics.analyzeCalls, statesAsked(question), {
    silent: true,
    staleTime: 15_000,
    enabled: question.isReady,
  });

/** The request of calls by state. */
export const statesAsked = ({ companyId, tz, range, filters }: Question) => ({
  query: {
    ...{ company_id: companyId, ...range, tz, ...filters },
    group: 'geo_state' as const,
    unique: false,
  },
});
