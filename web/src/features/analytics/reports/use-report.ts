import { useRef } from 'react';
import { callAnalytics } from '#contract';
import {
  questionOfChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';
import { useApiQuery } from '#ui';
import { useCompanyDays } from './use-days.ts';

/** The choices that aren’t the usual ones, as a favorite keeps them. */
export const chosenIn = <T extends Record<string, string>>(
  choices: T,
  usual: T,
): Record<string, string> =>
  Object.fromEntries(Object.entries(choices).filter(([key, value]) => value !== usual[key]));

/** The report that the choices ask for. */
export function useReport(choices: ReportChoices) {
  const { companyId, tz, today, period, range, isReady, company } = useCompanyDays(choices);
  const question = questionOfChoices(choices);
  const { group, target } = question;
  const query = { company_id: companyId, ...range, tz, ...question };
  const report = useApiQuery(
    callAnalytics.analyzeCalls,
    { query },
    { silent: true, staleTime: 5_000, enabled: isReady },
  );
  // Rows are named by the question they answer, also while the next one is on its way.
  const shown = useRef({ group, target });
  if (!report.isPrevious) shown.current = { group, target };
  const named = { companyName: company?.name ?? '', tz, range };
  return { ...report, ...shown.current, ...named, query, period, today };
}
