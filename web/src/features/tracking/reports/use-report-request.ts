import { companies, type BodyIn, type sourceReports } from '#contract';
import { reportGroups } from '#contract/analytics/source-reports/rules';
import { attributionModels } from '#contract/tracking/pool-rules';
import { calendarDay, useApiQuery, useCompanyId, useNow, useUser, userZone } from '#ui';
import { reportPeriods, reportRange, type ReportPeriod } from './options.ts';

/** The choices of the reports screen, as they are in its address. */
export const startChoices = {
  group: 'source',
  period: 'month',
  from: '',
  to: '',
  model: '',
  source: '',
  pool: '',
  device: '',
  campaign: '',
  of: '',
};
export type ReportChoices = typeof startChoices;

const oneOf = <T extends string>(list: readonly T[], value: string): T | undefined =>
  list.find((one) => one === value);
const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** The report that the choices ask for, its days those of the company's zone. */
export function useReportRequest(choices: ReportChoices) {
  const companyId = useCompanyId() ?? 0;
  // The days of the company, so that everyone's report of a day is the same.
  const { response } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId } },
    { silent: true, staleTime: 300_000, enabled: companyId !== 0 },
  );
  const tz = response?.data.timezone ?? userZone();
  const today = calendarDay(useNow(60_000), tz);
  const organization = useReportOrganization();
  const businessUnitId = choices.of === 'organization' ? (organization?.id ?? null) : null;
  const group = oneOf(reportGroups, choices.group) ?? 'source';
  const period: ReportPeriod = oneOf(reportPeriods, choices.period) ?? 'month';
  const { start, end } = daysOf(period, choices, today);
  const asked = {
    company_id: companyId,
    startDate: start,
    endDate: end,
    tz,
    groupBy: group,
    attributionModel: oneOf(attributionModels, choices.model) ?? null,
    businessUnitId,
    filters: filtersOf(businessUnitId === null ? choices : { ...choices, pool: '' }),
  };
  return { group, period, today, asked, companyName: response?.data.name ?? '' };
}

/**
 * The organization of the company, where the person is in another of its companies, too. Null: their
 * reports are of the one company.
 */
export function useReportOrganization(): { id: number } | null {
  const companyId = useCompanyId();
  const companies = useUser()?.companies ?? [];
  const id = companies.find((one) => one.id === companyId)?.organization_id;
  const others = companies.filter((one) => one.organization_id === id && one.id !== companyId);
  return typeof id === 'number' && others.length > 0 ? { id } : null;
}

/** Days that are cleared or in the wrong order are those that the period starts from. */
function daysOf(period: ReportPeriod, { from, to }: ReportChoices, today: string) {
  const isChosen = period === 'custom' && isDay(from) && isDay(to) && from <= to;
  return isChosen ? { start: from, end: to } : reportRange(period, today);
}

function filtersOf({ source, pool, device, campaign }: ReportChoices) {
  const kind = oneOf(['desktop', 'mobile', 'tablet'] as const, device);
  return {
    ...(source && { sources: [source] }),
    ...(campaign && { campaigns: [campaign] }),
    ...(Number(pool) > 0 && { poolIds: [Number(pool)] }),
    ...(kind && { devices: [kind] }),
  } satisfies BodyIn<typeof sourceReports.reportSources>['filters'];
}
