import { tracking } from '#contract';
import { t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { daysText } from '../../../shared/printing/days-text.ts';
import { modelName } from '../models/labels.ts';
import { deviceName } from './device-name.ts';
import type { ReportChoices, useReportRequest } from './use-report-request.ts';

const limit = (what: string, value: string): string => t('{what}: {value}', { what, value });

/** What paper says of a report: whose, of which days, and limited to what. */
export function usePrinted(
  { source, pool, campaign, device }: ReportChoices,
  { asked, companyName }: ReturnType<typeof useReportRequest>,
) {
  const maySee = usePermission('dni.view');
  const params = { companyId: useCompanyId() ?? 0 };
  const kept = { silent: true, staleTime: 60_000 };
  const sources = useApiQuery(
    tracking.listSources,
    { params },
    { ...kept, enabled: maySee && source !== '' },
  );
  const pools = useApiQuery(
    tracking.listPools,
    { params, query: { perPage: 250 } },
    { ...kept, enabled: maySee && pool !== '' },
  );
  const sourceName = sources.response?.data.find(({ key }) => key === source)?.label;
  const poolName = pools.response?.data.find(({ id }) => String(id) === pool)?.name;
  return {
    of: asked.businessUnitId === null ? companyName : t('All companies'),
    days: daysText({ start: asked.startDate, end: asked.endDate }),
    limits: [
      ...(asked.attributionModel
        ? [limit(t('Attribution model'), modelName(asked.attributionModel))]
        : []),
      ...(source ? [limit(t('Source'), sourceName ?? source)] : []),
      ...(pool ? [limit(t('Tracking pool'), poolName ?? pool)] : []),
      ...(device ? [limit(t('Device'), deviceName(device))] : []),
      ...(campaign ? [limit(t('Campaign'), campaign)] : []),
    ],
  };
}
