import type { Answer, callAnalytics as contract, Query } from '#contract';
import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import { companiesAsked, type CompanyAsked } from './companies-asked.ts';
import { countCalls, type Counted } from './count-calls.ts';
import { checksumOf } from './csv.ts';
import { exportCallReport } from './export-call-report.ts';
import { namedCompanies } from './placed-companies.ts';
import { figuresOf } from './present.ts';
import { metaOf, readQuestion, type Question } from './question.ts';
import { hiddenIn, shownRows } from './shown-rows.ts';

type Answered = Answer<typeof contract.analyzeCalls>;

/**
 * GET /analytics/calls: the calls of a question by its group; with another format a file
 * of them is queued instead. Fails with a field error for companies that aren't the actor's.
 */
export async function analyzeCalls(
  ctx: TxCtx,
  query: Query<typeof contract.analyzeCalls>,
): Promise<Answered> {
  const { format, columns, title, ...rest } = query;
  const { async: _a, strict: _s, company_id: _c, companyId: _d, ...asked } = rest;
  const question = readQuestion(asked, ctx.now);
  // A file has all of its columns.
  if (format !== 'json')
    return exportCallReport(
      ctx,
      { ...question, withoutCallers: false },
      { format, columns, title },
    );
  return answerQuestion(ctx, question, companiesAsked(ctx, question, 'analytics.view'));
}

/**
 * The answer to a question; every screen, report and file that shows these figures shows this one.
 * `hidden`: what its readers may not see; undefined: what the actor may not.
 */
export const answerQuestion = async (
  ctx: TxCtx,
  question: Question,
  companies: readonly CompanyAsked[],
  hidden?: Hidden | null,
): Promise<Answered> => (await answerCounted(ctx, question, companies, hidden)).answer;

/** The same, with what was counted. */
export async function answerCounted(
  ctx: TxCtx,
  question: Question,
  companies: readonly CompanyAsked[],
  hidden?: Hidden | null,
): Promise<{ counted: Counted; answer: Answered }> {
  const counted = await countCalls(ctx, question, companies);
  const rows = await shownRows(ctx, question, companies, {
    counted,
    hidden: hidden === undefined ? hiddenIn(ctx, counted.companies) : hidden,
  });
  const answer = {
    data: rows.slice(0, callAnalyticsLimits.rows).map(({ row }) => row),
    totals: figuresOf(counted.total, question.withoutCallers),
    meta: {
      ...metaOf(question, ctx.now),
      row_count: Math.round(counted.total.calls),
      checksum: question.withoutCallers ? null : checksumOf(rows),
      total: rows.length,
      companies: namedCompanies(question, counted.companies),
    },
  };
  return { counted, answer };
}
