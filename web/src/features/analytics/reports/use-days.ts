import { companies } from '#contract';
import { daysOfChoices, type DayChoices } from '#contract/analytics/call-analytics/report-choices';
import { calendarDay, useApiQuery, useCompanyId, useNow, userZone } from '#ui';

/**
 * The days that the choices mean, in the company’s zone or `zone`, so that everyone’s report of a day
 * is the same; not ready until the zone is known.
 */
export function useCompanyDays(choices: DayChoices, zone?: string) {
  const companyId = useCompanyId() ?? 0;
  const { response: company } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId } },
    { silent: true, staleTime: 300_000, enabled: companyId !== 0 },
  );
  const tz = zone ?? company?.data.timezone ?? userZone();
  const today = calendarDay(useNow(60_000), tz);
  const { period, range } = daysOfChoices(choices, today);
  return {
    ...{ companyId, tz, today, period, range },
    isReady: company !== undefined,
    company: company?.data,
  };
}
