import { useState } from 'react';
import { Button, Group, Skeleton } from '@mantine/core';
import { IconDownload, IconStar } from '@tabler/icons-react';
import { startChoices } from '#contract/analytics/call-analytics/report-choices';
import { isTimeGroup } from '#contract/analytics/call-analytics/rules';
import { ErrorState, Page, t, useFilters, usePermission } from '#ui';
import { daysText } from '../../../shared/printing/days-text.ts';
import { PrintButton } from '../../../shared/printing/PrintButton.tsx';
import { PrintFacts } from '../../../shared/printing/PrintFacts.tsx';
import { NoCalls } from '../NoCalls.tsx';
import { callsAddress } from '../reports/calls-address.ts';
import { Favorites } from '../reports/Favorites.tsx';
import { ReportsTabs } from '../ReportsTabs.tsx';
import { ReportFigures } from '../reports/ReportFigures.tsx';
import { ReportFilters } from '../reports/ReportFilters.tsx';
import { ReportTable } from '../reports/ReportTable.tsx';
import { SaveFavorite } from '../reports/SaveFavorite.tsx';
import { TimeBars } from '../reports/TimeBars.tsx';
import { useReportExport } from '../reports/use-export.ts';
import { useFilterWords } from '../reports/use-filter-words.ts';
import { chosenIn, useReport } from '../reports/use-report.ts';

/** How many calls of a period came when, from where, to whom, and what came of them. */
export default function CallReports() {
  const filtering = useFilters(startChoices);
  const { filters, clear } = filtering;
  const report = useReport(filters);
  const limits = useFilterWords(filters);
  const { group, target, period, today, tz, query, response, error, loading, refetch } = report;
  const [isSaving, setSaving] = useState(false);
  const { data: rows, totals } = response ?? {};
  return (
    <Page
      title={t('Call reports')}
      description={t('Calls by day, number, source, person and more.')}
      action={
        response && (
          <Actions
            query={query}
            hasCalls={response.totals.calls > 0}
            save={() => setSaving(true)}
          />
        )
      }
      filters={
        <>
          <ReportsTabs />
          <ReportFilters {...filtering} today={today} />
        </>
      }
    >
      <PrintFacts of={report.companyName} days={daysText(report.range)} {...{ tz, limits }} />
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {loading && !response && <Skeleton h={320} />}
      {totals?.calls === 0 && <NoCalls clear={filtering.isFiltered ? clear : null} />}
      {rows && totals && totals.calls > 0 && (
        <>
          <ReportFigures totals={totals} />
          {isTimeGroup(group) && <TimeBars group={group} target={target} rows={rows} />}
          <ReportTable
            group={group}
            target={target}
            rows={rows}
            totals={totals}
            callsOf={(key) => callsAddress(group, key, { ...filters, period })}
          />
        </>
      )}
      <div data-no-print>
        <Favorites path="/analytics/calls" shown={chosenIn(filters, startChoices)} />
      </div>
      {isSaving && (
        <SaveFavorite
          favorite={null}
          path="/analytics/calls"
          shown={chosenIn(filters, startChoices)}
          close={() => setSaving(false)}
        />
      )}
    </Page>
  );
}

function Actions({
  query,
  hasCalls,
  save,
}: {
  query: ReturnType<typeof useReport>['query'];
  hasCalls: boolean;
  save: () => void;
}) {
  const mayExport = usePermission('exports.make');
  const { exportReport, starting } = useReportExport(query);
  return (
    <Group gap="xs">
      {mayExport && hasCalls && (
        <Button.Group>
          <Button
            variant="default"
            loading={starting === 'csv'}
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void exportReport('csv')}
          >
            {t('Export')}
          </Button>
          <Button
            variant="default"
            loading={starting === 'pdf'}
            aria-label={t('Export as PDF')}
            onClick={() => void exportReport('pdf')}
          >
            {t('PDF')}
          </Button>
        </Button.Group>
      )}
      {hasCalls && <PrintButton />}
      <Button leftSection={<IconStar size={16} aria-hidden />} onClick={save}>
        {t('Add to favorites')}
      </Button>
    </Group>
  );
}
