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
import { aboutOrganization } from '../reports/WhoseCalls.tsx';
import { chosenIn, useReport } from '../reports/use-report.ts';

/** How many calls of a period came when, from where, to whom, and what came of them. */
export default function CallReports() {
  const filtering = useFilters(startChoices);
  const { filters, clear } = filtering;
  const report = useReport(filters);
  const limits = useLimits(report);
  const { today, tz, query, response, error, loading, refetch } = report;
  const [isSaving, setSaving] = useState(false);
  const totals = response?.totals;
  return (
    <Page
      title={t('Call reports')}
      description={aboutReport(report)}
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
          <ReportFilters {...filtering} today={today} report={report} />
        </>
      }
    >
      <PrintFacts
        of={report.organization?.name ?? report.companyName}
        days={daysText(report.range)}
        {...{ tz, limits }}
      />
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {loading && !response && <Skeleton h={320} />}
      {totals?.calls === 0 && <NoCalls clear={filtering.isFiltered ? clear : null} />}
      {response && totals && totals.calls > 0 && <Shown report={report} response={response} />}
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

type Report = ReturnType<typeof useReport>;

/** The figures of the report, its chart and its rows. */
function Shown({
  report,
  response: { data: rows, totals },
}: {
  report: Report;
  response: NonNullable<Report['response']>;
}) {
  const { group, target, counted } = report;
  return (
    <>
      <ReportFigures totals={totals} />
      {isTimeGroup(group) && <TimeBars group={group} target={target} rows={rows} />}
      <ReportTable
        {...{ group, target, rows, totals }}
        opens={(key) => rowAddress(report, key)}
        limited={counted.flatMap((one) => (one.is_limited ? String(one.id) : []))}
      />
    </>
  );
}

/** What the report is about, and of an organization of which companies. */
const aboutReport = ({ organization, counted, range, tz }: Report): string =>
  organization && counted.length
    ? aboutOrganization(daysText(range), organization, counted.length, tz)
    : t('Calls by day, number, source, person and more.');

/** What paper says the report is limited to. */
function useLimits({ choices, counted }: Report): string[] {
  const words = useFilterWords(choices);
  const chosen = counted.find(({ id }) => String(id) === choices.company);
  return [
    ...(chosen ? [t('{what}: {value}', { what: t('Company'), value: chosen.name })] : []),
    ...words,
  ];
}

/** Where a row leads: to its calls, or of an organization a company to its part by day. */
function rowAddress({ group, choices, period, organization }: Report, key: string): string | null {
  if (!organization) return callsAddress(group, key, { ...choices, period });
  if (group !== 'company') return null;
  const part = chosenIn({ ...choices, company: key, group: 'day' }, startChoices);
  return `/analytics/calls?${new URLSearchParams(part).toString()}`;
}

function Actions({
  query,
  hasCalls,
  save,
}: {
  query: Report['query'];
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
