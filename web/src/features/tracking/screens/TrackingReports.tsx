import { useState } from 'react';
import { Button, Group, Skeleton } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { sourceReports } from '#contract';
import { EmptyState, ErrorState, Page, t, useApiQuery, useFilters } from '#ui';
import { PrintButton } from '../../../shared/printing/PrintButton.tsx';
import { PrintFacts } from '../../../shared/printing/PrintFacts.tsx';
import { saveText } from '../../../shared/save-text.ts';
import { JourneyShares } from '../reports/JourneyShares.tsx';
import { ReportFilters } from '../reports/ReportFilters.tsx';
import { ReportTable } from '../reports/ReportTable.tsx';
import { SavedRuns } from '../reports/SavedRuns.tsx';
import { SaveRun } from '../reports/SaveRun.tsx';
import { startChoices, useReportRequest } from '../reports/use-report-request.ts';
import { usePrinted } from '../reports/use-printed.ts';
import { TrackingTabs } from '../TrackingTabs.tsx';

/** Which sources, campaigns or pages made the phone ring in a period. */
export default function TrackingReports() {
  const filtering = useFilters(startChoices);
  const request = useReportRequest(filtering.filters);
  const { group, period, today, asked } = request;
  const { of, days, limits } = usePrinted(filtering.filters, request);
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
            {found.rows.length > 0 && <PrintButton />}
            <Button onClick={() => setSaving(true)}>{t('Save report')}</Button>
          </Group>
        )
      }
      filters={
        <>
          <TrackingTabs />
          <ReportFilters {...filtering} today={today} />
        </>
      }
    >
      <PrintFacts {...{ of, days, tz: asked.tz, limits }} />
      {error && !found && <ErrorState error={error} retry={refetch} />}
      {loading && !found && <Skeleton h={240} />}
      {found?.rows.length === 0 && <NothingFound />}
      {found && found.rows.length > 0 && (
        <ReportTable
          group={group}
          period={period}
          isLinked={asked.businessUnitId === null}
          rows={found.rows}
          totals={found.totals}
        />
      )}
      {found?.journeys && found.journeys.length > 0 && <JourneyShares shares={found.journeys} />}
      <div data-no-print>
        <SavedRuns />
      </div>
      {isSaving && <SaveRun asked={asked} close={() => setSaving(false)} />}
    </Page>
  );
}

const NothingFound = () => (
  <EmptyState
    icon={<IconChartBar size={28} stroke={1.5} />}
    title={t('No visits or calls in this period')}
  >
    {t('Choose a longer period, or show a pool’s numbers on your website.')}
  </EmptyState>
);
