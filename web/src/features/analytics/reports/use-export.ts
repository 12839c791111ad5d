import { useState } from 'react';
import { callAnalytics } from '#contract';
import { api, t, trackBatch } from '#ui';
import type { useReport } from './use-report.ts';

/** Starts a file with all rows of the report and shows its progress. */
export function useReportExport(query: ReturnType<typeof useReport>['query']) {
  const [isStarting, setStarting] = useState(false);
  const exportReport = async (): Promise<void> => {
    setStarting(true);
    const begun = await api(callAnalytics.analyzeCalls, {
      query: { ...query, format: 'csv' },
    }).catch(() => null);
    setStarting(false);
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
  };
  return { exportReport, isStarting };
}
