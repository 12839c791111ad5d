import { useState } from 'react';
import { callAnalytics } from '#contract';
import { api, t, trackBatch } from '#ui';
import type { useReport } from './use-report.ts';

type ReportQuery = ReturnType<typeof useReport>['query'];
type ReportFormat = 'csv' | 'pdf';

/** Starts a file of the report and shows its progress. `title`: of a PDF. */
async function startExport(
  query: ReportQuery,
  format: ReportFormat,
  title: string | undefined,
): Promise<void> {
  const begun = await api(callAnalytics.analyzeCalls, {
    query: { ...query, format, ...(title !== undefined && { title }) },
  }).catch(() => null);
  const meta = begun?.meta as { batchId?: string; total?: number } | undefined;
  if (meta?.batchId)
    trackBatch({
      id: meta.batchId,
      label: t('{n, plural, one {Exporting # row} other {Exporting # rows}}', {
        n: meta.total ?? 0,
      }),
      total: meta.total ?? 0,
      of: 'exports',
    });
}

/** Makes files of a report; `starting`: the one that is being asked for. */
export function useReportExport(query: ReportQuery) {
  const [starting, setStarting] = useState<ReportFormat | null>(null);
  const exportReport = async (format: ReportFormat, title?: string): Promise<void> => {
    setStarting(format);
    await startExport(query, format, title);
    setStarting(null);
  };
  return { exportReport, starting };
}
