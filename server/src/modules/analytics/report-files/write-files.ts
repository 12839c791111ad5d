import type { CallReportColumn } from '#contract/analytics/call-analytics/rules';
import { writeRows } from '../../../platform/export-formats.ts';
import { runInThread } from '../../../platform/worker-thread.ts';
import { fileColumns } from '../query/csv.ts';
import type { GatheredReport } from './gather-report.ts';
import { documentOf } from './write-document.ts';

/** The report as a PDF, drawn outside the event loop. */
export const writePdf = async (report: GatheredReport, title: string): Promise<Buffer> =>
  Buffer.from(
    await runInThread<Uint8Array>('renderReportDocument', documentOf(report, title), 120),
  );

/** The first rows of the report as CSV, the same as in an export. */
export async function writeCsv(
  { rows, question }: GatheredReport,
  columns: readonly CallReportColumn[],
  mostRows: number,
): Promise<Buffer> {
  async function* page() {
    yield rows.slice(0, mostRows);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of writeRows('csv', page(), fileColumns(columns), question.tz))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}
