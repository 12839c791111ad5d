import { z } from 'zod';
import type { Answer, callAnalytics as contract } from '#contract';
import { callReportColumns, type CallReportColumn } from '#contract/analytics/call-analytics/rules';
import { accessTo, grantIn } from '../../../platform/access.ts';
import { asAsked, batchKind } from '../../../platform/batch-kind.ts';
import { countBatchesSince, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { createExport, exportInput, runExport } from '../../../platform/export-rows.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import { numbersStillVisible } from '../../companies/index.ts';
import { companiesAsked, type CompanyAsked } from './companies-asked.ts';
import { countCalls } from './count-calls.ts';
import { fileColumns } from './csv.ts';
import { callReportJob } from './job-kinds.ts';
import { gatherReport, type GatheredReport } from '../report-files/gather-report.ts';
import { writePdf } from '../report-files/write-files.ts';
import { namedCompanies, placedCompanies, type CompanyPlaced } from './placed-companies.ts';
import { figuresOf, type ShownRow } from './present.ts';
import { metaOf, type Question } from './question.ts';
import { hiddenIn } from './shown-rows.ts';

const HOUR_MS = 3_600_000;

/**
 * `companies`: whose calls who asked could count then, of which numbers; one that was asked for by
 * the version before has only the numbers of its company. `hidden`: what was hidden from them.
 */
const storedReport = z.object({
  ...exportInput,
  format: z.enum(['csv', 'pdf']),
  /** Of a PDF. */
  title: z.string(),
  question: asAsked<Question>(),
  companies: asAsked<readonly CompanyAsked[]>().optional(),
  only: z.array(z.number()).readonly().nullish(),
  hidden: asAsked<Hidden | null>(),
  columns: asAsked<readonly CallReportColumn[]>(),
  at: z.string(),
});
type StoredReport = z.output<typeof storedReport>;
const KIND = batchKind('export-call-report', storedReport);

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
  const since = new Date(ctx.now.getTime() - HOUR_MS);
  const made = await countBatchesSince(ctx.tx, ctx.companyId, 'export-%', ctx.actor.userId, since);
  if (made >= ctx.settings.limits.exportsPerHour) fail('rate.limited', { seconds: 3600 });
  const counted = await countCalls(ctx, question, companiesAsked(ctx, question, 'analytics.view'));
  const others = requireExportOf(ctx, counted.companies);
  const input = {
    question,
    companies: counted.companies.map(({ id, only }) => ({ id, only })),
    hidden: hiddenIn(ctx, counted.companies),
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
    others,
    input,
    total: Math.max(1, counted.rows.size),
  });
  return {
    data: [],
    totals: figuresOf(counted.total),
    meta: {
      ...metaOf(question, ctx.now),
      row_count: Math.round(counted.total.calls),
      checksum: null,
      companies: namedCompanies(question, counted.companies),
      ...batch,
    },
  };
}

/**
 * The companies of a file beside the request's. Fails with a field error where there is none, and
 * where the actor can see figures of one but not take them out of it.
 */
function requireExportOf(ctx: TxCtx, companies: readonly CompanyPlaced[]): CompanyPlaced[] {
  if (!companies.length) invalid({ business_unit_ids: 'Choose an organization from the list.' });
  const others = companies.filter(({ id }) => id !== ctx.companyId);
  const kept = others.filter(
    ({ id }) => grantIn(accessTo(ctx.actor, id), 'exports.make') === 'none',
  );
  if (kept.length)
    invalid({
      company_ids: `You can’t export calls of ${kept.map(({ name }) => name).join(', ')}. Choose another company.`,
    });
  return others;
}

/** The companies that a file was asked for, with the numbers that its person may see now. */
async function companiesStill(
  { db, companyId: own }: TxCtx,
  { question, companies, only = null }: StoredReport,
  personId: number | null,
): Promise<CompanyPlaced[]> {
  const still: CompanyAsked[] = [];
  for (const one of companies ?? [{ id: own, only }]) {
    const of = { db, companyId: one.id };
    still.push({
      id: one.id,
      only: await numbersStillVisible(of, personId, 'exports.make', one.only),
    });
  }
  return placedCompanies({ db }, question, still);
}

/** Job: writes the file. */
export async function writeCallReport(
  ctx: Ctx,
  { batchId }: { batchId: string },
  attempt: { last: boolean },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, KIND));
  if (!batch) return;
  const stored = batch.input;
  const { question, hidden, columns, at, tz, format, title } = stored;
  const gather = async (t: TxCtx): Promise<GatheredReport> =>
    gatherReport(t, {
      ...{ question, hidden, isSpread: format === 'csv' },
      companies: await companiesStill(t, stored, batch.createdBy),
    });
  let gathered: GatheredReport | null = null;
  await runExport<ShownRow, null>(
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
