import { callAnalytics, dashboard, type Answer } from '#contract';
import { saidInChoices } from '#contract/analytics/call-analytics/report-choices';
import { comparisons, type DashboardType } from '#contract/analytics/dashboard/rules';
import { useApiQuery } from '#ui';
import { useCompanyDays } from '../reports/use-days.ts';
import type { DashboardChoices } from './choices.ts';
import { useOrganizations } from './use-organizations.ts';

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
  const { scopes, isReady: areScopesReady } = useOrganizations();
  const organization = scopes.find(({ id }) => String(id) === choices.organization) ?? null;
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
    // Until the organizations are known, it can't be told whose figures are asked for.
    isReady: days.isReady && (areScopesReady || choices.organization === ''),
  };
}

export type Question = ReturnType<typeof useQuestion>;

/** Figures of one type, compared with as much of the other period. */
export const useBoard = (
  type: DashboardType,
  question: Question,
  groupBy?: 'day' | 'hour' | 'tag' | 'company' | 'sentiment' | 'phrase_list',
) => {
  const { companyId, tz, range, compare, filters, isReady } = question;
  return useApiQuery(
    dashboard.getDashboard,
    {
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
    },
    { silent: true, staleTime: 15_000, enabled: isReady },
  );
};

/** Calls by company, of all that the organization's dashboard counts. */
export function useCompanies(question: Question) {
  const { company_ids: _, ...filters } = question.filters;
  const isReady = question.isReady && question.organization !== null;
  return useBoard('calls', { ...question, filters, isReady }, 'company');
}

/** Calls by the caller's state. */
export function useStates({ companyId, tz, range, filters, isReady }: Question) {
  return useApiQuery(
    callAnalytics.analyzeCalls,
    {
      query: { company_id: companyId, ...range, tz, group: 'geo_state', unique: false, ...filters },
    },
    { silent: true, staleTime: 15_000, enabled: isReady },
  );
}
