import { useRef } from 'react';
import { callAnalytics } from '#contract';
import { answerStatuses, callGroups, callTargets } from '#contract/analytics/call-analytics/rules';
import { departments } from '#contract/calls/rules';
import { attributionModels } from '#contract/tracking/pool-rules';
import { useApiQuery } from '#ui';
import { useCompanyDays } from './use-days.ts';

/** The choices of the screen, as they are in its address. */
export const startChoices = {
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
};
export type ReportChoices = typeof startChoices;

/** The choices that aren’t the usual ones, as a favorite keeps them. */
export const chosenIn = <T extends Record<string, string>>(
  choices: T,
  usual: T,
): Record<string, string> =>
  Object.fromEntries(Object.entries(choices).filter(([key, value]) => value !== usual[key]));

const oneOf = <T extends string>(list: readonly T[], value: string): T | undefined =>
  list.find((one) => one === value);
/** The report that the choices ask for. */
export function useReport(choices: ReportChoices) {
  const { companyId, tz, today, period, range, isReady } = useCompanyDays(choices);
  const group = oneOf(callGroups, choices.group) ?? 'day';
  const target = oneOf(callTargets, choices.target) ?? 'calls';
  const query = {
    company_id: companyId,
    ...range,
    tz,
    group,
    target,
    ...filtersOf(choices),
  };
  const report = useApiQuery(
    callAnalytics.analyzeCalls,
    { query },
    { silent: true, staleTime: 5_000, enabled: isReady },
  );
  // Rows are named by the question they answer, also while the next one is on its way.
  const shown = useRef({ group, target });
  if (!report.isPrevious) shown.current = { group, target };
  return { ...report, ...shown.current, query, period, today };
}

function filtersOf(choices: ReportChoices) {
  const status = oneOf(answerStatuses, choices.status);
  const department = oneOf(departments, choices.department);
  const model = oneOf(attributionModels, choices.model);
  return {
    direction: oneOf(['inbound', 'outbound', 'all'] as const, choices.direction) ?? 'inbound',
    ...(status && { answer_status: [status] }),
    ...(department && { departments: [department] }),
    ...(Number(choices.number) > 0 && { number_ids: [Number(choices.number)] }),
    ...(choices.source && { sources: [choices.source] }),
    ...(model && { attribution_model: model }),
    ...(choices.first && { first_contact: choices.first === 'yes' }),
    ...(choices.qualified && { qualified: choices.qualified === 'yes' }),
  };
}
