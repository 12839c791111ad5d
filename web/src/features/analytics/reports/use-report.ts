import { useRef } from 'react';
import { callAnalytics, type Answer } from '#contract';
import {
  questionOfChoices,
  type ReportChoices,
} from '#contract/analytics/call-analytics/report-choices';
import { useApiQuery } from '#ui';
import { useCompanyDays } from './use-days.ts';
import { useScope } from './use-scope.ts';

/** The choices that aren’t the usual ones, as a favorite keeps them. */
export const chosenIn = <T extends Record<string, string>>(
  choices: T,
  usual: T,
): Record<string, string> =>
  Object.fromEntries(Object.entries(choices).filter(([key, value]) => value !== usual[key]));

type Counted = NonNullable<Answer<typeof callAnalytics.analyzeCalls>['meta']['companies']>;

/** The report that the choices ask for. */
export function useReport(chosen: ReportChoices) {
  const scope = useScope(chosen);
  const { choices, organization } = scope;
  const days = useCompanyDays(choices, organization?.timezone);
  const { companyId, tz, today, period, range, company } = days;
  const question = questionOfChoices(choices);
  const { group, target } = question;
  const query = { company_id: companyId, ...range, tz, ...question };
  const report = useApiQuery(
    callAnalytics.analyzeCalls,
    { query },
    { silent: true, staleTime: 5_000, enabled: days.isReady && scope.isReady },
  );
  // Rows are named by the question they answer, also while the next one is on its way.
  const shown = useRef({ group, target });
  if (!report.isPrevious) shown.current = { group, target };
  // One of the organization's companies is chosen from all of them.
  const known = useRef<Counted>([]);
  if (!choices.company && report.response) known.current = report.response.meta.companies ?? [];
  const counted = report.response?.meta.companies ?? [];
  const companies = known.current.length ? known.current : counted;
  const named = { companyName: company?.name ?? '', tz, range };
  return {
    ...{ ...report, ...shown.current, ...named, query, period, today },
    ...{ choices, organization, scopes: scope.scopes, companies, counted },
  };
}
