import { callAnalytics, dashboard, type Answer } from '#contract';
import { comparisons, type DashboardType } from '#contract/analytics/dashboard/rules';
import { useApiQuery } from '#ui';
import { useCompanyDays } from '../reports/use-days.ts';
import type { DashboardChoices } from './choices.ts';

/** One part of the dashboard, of both periods. */
export type Board = Answer<typeof dashboard.getDashboard>;
export type BoardRow = Board['data'][number];

/** The question that all parts of the dashboard ask, each by its own group. */
export function useQuestion(choices: DashboardChoices) {
  const { companyId, tz, today, period, range, isReady } = useCompanyDays(choices);
  const compare = comparisons.find((one) => one === choices.against) ?? 'previous';
  const filters = {
    ...(Number(choices.number) > 0 && { number_ids: [Number(choices.number)] }),
    ...(choices.source && { sources: [choices.source] }),
  };
  return { companyId, tz, today, period, range, compare, filters, isReady };
}
export type Question = ReturnType<typeof useQuestion>;

/** Figures of one type, compared with as much of the other period. */
export const useBoard = (
  type: DashboardType,
  question: Question,
  groupBy?: 'day' | 'hour' | 'tag',
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
