import type { Answer, callAnalytics as contract } from '#contract';
import { callReportColumns, type CallReportColumn } from '#contract/analytics/call-analytics/rules';
import { countBatchesSince, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { createExport, runExport, type ExportInput } from '../../../platform/export-rows.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import { numbersStillVisible } from '../../companies/index.ts';
import { countCalls } from './count-calls.ts';
import { fileColumns } from './csv.ts';
import { callReportJob } from './job-kinds.ts';
import { gatherReport, type GatheredReport } from '../report-files/gather-report.ts';
import { writePdf } from '../report-files/write-files.ts';
import { figuresOf } from './present.ts';
import { metaOf, type Question } from './question.ts';

const KIND = 'export-call-report';
const HOUR_MS = 3_600_000;

/** `only`: the numbers that who asked could see then; `hidden`: what was hidden from them. */
interface StoredReport extends Omit<ExportInput, 'format'> {
  format: 'csv' | 'pdf';
  /** Of a PDF. */
  title: string;
  question: Question;
  only: readonly number[] | null;
  hidden: Hidden | null;
  columns: readonly CallReportColumn[];
  at: string;
}

/**
 * Queues a file with all rows of a question. Checks permission (`role.forbidden`) and the hourly
 * limit (`rate.limited`) here, because the endpoint mostly answers without a file.
 */
export async function exportCallReport(
  ctx: TxCtx,
  question: Question,
  {
    format,
    columns = callReportColumns,
    title = `Calls by ${question.group.replaceAll('_', ' ')}`,
  }: {
    format: 'csv' | 'pdf';
    columns?: readonly CallReportColumn[] | undefined;
    title?: string | undefined;
  },
): Promise<Answer<typeof contract.analyzeCalls>> {
  if (ctx.may('exports.make') === 'none') fail('role.forbidden');
  // Whoever fetches the file is asked about its company only.
  if (question.companyIds.some((id) => id !== ctx.companyId) || question.businessUnitIds.length)
    invalid({ company_ids: 'A file has the calls of one company.' });
  const since = new Date(ctx.now.getTime() - HOUR_MS);
  const made = await countBatchesSince(ctx.tx, ctx.companyId, 'export-%', ctx.actor.userId, since);
  if (made >= ctx.settings.limits.exportsPerHour) fail('rate.limited', { seconds: 3600 });
  const own = { id: ctx.companyId, only: ctx.numbers };
  const counted = await countCalls(ctx, question, [own]);
  const input: StoredReport = {
    question,
    only: ctx.numbers,
    hidden: ctx.contactDetails.hiddenFrom(ctx),
    columns,
    format,
    title,
    tz: question.tz,
    at: ctx.now.toISOString(),
  };
  const batch = await createExport(ctx, {
    kind: KIND,
    job: callReportJob,
    permission: 'exports.make',
    input: { ...input },
    total: Math.max(1, counted.rows.size),
  });
  return {
    data: [],
    totals: figuresOf(counted.total),
    meta: {
      ...metaOf(question, ctx.now),
      row_count: Math.round(counted.total.calls),
      checksum: null,
      ...batch,
    },
  };
}

/** Job: writes the file. */
export async function writeCallReport(
  ctx: Ctx,
  { batchId, kind }: { batchId: string; kind: string },
  attempt: { last: boolean },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, kind));
  if (!batch) return;
  const { question, only, hidden, columns, at, tz, format, title } = batch.input as StoredReport;
  const gather = async (t: TxCtx): Promise<GatheredReport> =>
    gatherReport(t, {
      ...{ question, hidden, isSpread: format === 'csv' },
      only: await numbersStillVisible(ctx, batch.createdBy, 'exports.make', only),
    });
  let gathered: GatheredReport | null = null;
  await runExport(
    ctx,
    batchId,
    {
      kind: KIND,
      name: `calls-by-${question.group.replaceAll('_', '-')}-${at.slice(0, 10)}`,
      format: 'csv',
      ...(format === 'pdf' && {
        pdf: async () => writePdf(gathered ?? (await ctx.transaction(gather)), title),
      }),
      tz,
      columns: fileColumns(columns),
      linkHours: 24,
      // One page: rows are as many as a company has numbers, sources or days.
      page: async (t, _after: null) => {
        gathered = await gather(t);
        return { rows: gathered.rows, after: null };
      },
    },
    attempt,
  );
}
