import { companies } from '#contract';
import { calendarDay, useApiQuery, useCompanyId, useNow, userZone } from '#ui';
import { callPeriods, callRange } from './options.ts';

/** Choices of days, as they are in an address. */
export interface DayChoices {
  period: string;
  /** The first and last of chosen days, with the period `custom`. */
  from: string;
  to: string;
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/**
 * The days that the choices mean, in the company's zone, so that everyone's report of a day is the
 * same; not ready until the zone is known. Days that are cleared or in the wrong order are those
 * that the period starts from.
 */
export function useCompanyDays({ period: chosen, from, to }: DayChoices) {
  const companyId = useCompanyId() ?? 0;
  const { response: company } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId } },
    { silent: true, staleTime: 300_000, enabled: companyId !== 0 },
  );
  const tz = company?.data.timezone ?? userZone();
  const today = calendarDay(useNow(60_000), tz);
  const period = callPeriods.find((one) => one === chosen) ?? 'month';
  const isChosen = period === 'custom' && isDay(from) && isDay(to) && from <= to;
  const range = isChosen ? { start: from, end: to } : callRange(period, today);
  return { companyId, tz, today, period, range, isReady: company !== undefined };
}
