import { useState } from 'react';
import { Button, Group, Select, Skeleton } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { sourceReports } from '#contract';
import { reportGroups } from '#contract/analytics/source-reports/rules';
import { attributionModels } from '#contract/tracking/pool-rules';
import {
  calendarDay,
  EmptyState,
  ErrorState,
  FilterBar,
  Page,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  useNow,
  userZone,
} from '#ui';
import { saveText } from '../../../shared/save-text.ts';
import { modelName, modelSentence } from '../models/labels.ts';
import { JourneyShares } from '../reports/JourneyShares.tsx';
import {
  groupName,
  periodName,
  reportPeriods,
  reportRange,
  type ReportPeriod,
} from '../reports/options.ts';
import { ReportTable } from '../reports/ReportTable.tsx';
import { SavedRuns } from '../reports/SavedRuns.tsx';
import { SaveRun } from '../reports/SaveRun.tsx';
import { TrackingTabs } from '../TrackingTabs.tsx';

const defaultFilters = { group: 'source', period: 'month', model: '' };
type Filters = typeof defaultFilters;
const oneOf = <T extends string>(list: readonly T[], value: string, otherwise: T): T =>
  list.find((one) => one === value) ?? otherwise;

/** Which sources, campaigns or pages made the phone ring in a period. */
export default function TrackingReports() {
  const filtering = useFilters(defaultFilters);
  const { group, period, asked } = useAsked(filtering.filters);
  const { response, error, loading, refetch } = useApiQuery(
    sourceReports.reportSources,
    { body: { ...asked, journeys: group === 'source' } },
    { silent: true, staleTime: 15_000 },
  );
  const [isSaving, setSaving] = useState(false);
  const found = response?.data;
  return (
    <Page
      title={t('Tracking reports')}
      description={t(
        'Which visits made the phone ring. Only calls to tracking numbers are counted.',
      )}
      action={
        found && (
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => saveText(`report-by-${asked.groupBy}.csv`, response.meta.csv)}
            >
              {t('Download CSV')}
            </Button>
            <Button onClick={() => setSaving(true)}>{t('Save report')}</Button>
          </Group>
        )
      }
      filters={
        <>
          <TrackingTabs />
          <Choices {...filtering} />
        </>
      }
    >
      {error && !found && <ErrorState error={error} retry={refetch} />}
      {loading && !found && <Skeleton h={240} />}
      {found &&
        (found.rows.length === 0 ? (
          <EmptyState
            icon={<IconChartBar size={28} stroke={1.5} />}
            title={t('No visits or calls in this period')}
          >
            {t('Choose a longer period, or show a pool’s numbers on your website.')}
          </EmptyState>
        ) : (
          <ReportTable group={group} period={period} rows={found.rows} totals={found.totals} />
        ))}
      {found?.journeys && found.journeys.length > 0 && <JourneyShares shares={found.journeys} />}
      <SavedRuns />
      {isSaving && <SaveRun asked={asked} close={() => setSaving(false)} />}
    </Page>
  );
}

/** The report that the filters in the URL ask for. */
function useAsked({ group, period, model }: Filters) {
  const tz = userZone();
  const today = calendarDay(useNow(60_000), tz);
  const groupBy = oneOf(reportGroups, group, 'source');
  const chosen = oneOf(reportPeriods, period, 'month');
  const { start, end } = reportRange(chosen, today);
  return {
    group: groupBy,
    period: chosen satisfies ReportPeriod,
    asked: {
      company_id: useCompanyId() ?? 0,
      startDate: start,
      endDate: end,
      tz,
      groupBy,
      attributionModel: attributionModels.find((one) => one === model) ?? null,
    },
  };
}

function Choices({ filters, set, clear, isFiltered }: ReturnType<typeof useFilters<Filters>>) {
  const model = attributionModels.find((one) => one === filters.model);
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <Select
        aria-label={t('Group by')}
        w={150}
        allowDeselect={false}
        data={reportGroups.map((value) => ({ value, label: groupName(value) }))}
        value={filters.group}
        onChange={(group) => set({ group: group ?? 'source' })}
      />
      <Select
        aria-label={t('Period')}
        w={150}
        allowDeselect={false}
        data={reportPeriods.map((value) => ({ value, label: periodName(value) }))}
        value={filters.period}
        onChange={(period) => set({ period: period ?? 'month' })}
      />
      <Select
        aria-label={t('Attribution model')}
        title={model ? modelSentence(model) : t('Each call is credited by the model of its pool.')}
        w={240}
        allowDeselect={false}
        data={[
          { value: '', label: t('Model of each pool') },
          ...attributionModels.map((value) => ({ value, label: modelName(value) })),
        ]}
        value={filters.model}
        onChange={(value) => set({ model: value ?? '' })}
      />
    </FilterBar>
  );
}
