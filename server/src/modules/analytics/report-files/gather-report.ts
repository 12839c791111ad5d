import type { CallFigures } from '#contract/analytics/call-analytics/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import { countCalls } from '../query/count-calls.ts';
import type { CompanyPlaced } from '../query/placed-companies.ts';
import { nameOfAll, questionWords } from '../query/question-words.ts';
import { figuresOf, type ShownRow } from '../query/present.ts';
import { daysBefore, type Question, type Range } from '../query/question.ts';
import { shownRows } from '../query/shown-rows.ts';

/** What a file of a report is made of. */
export interface GatheredReport {
  companyIds: readonly number[];
  /** What its company is called, or its organization. */
  of: string;
  question: Question;
  /** The days that its figures are set against. */
  compared: Range;
  /** What its calls are limited to, in words. */
  words: string[];
  /** All of them. */
  rows: ShownRow[];
  totals: CallFigures;
  before: CallFigures;
  at: Date;
}

/**
 * Counts a report of these companies, each of the numbers in its `only` (null: all), against
 * `compared` (as many days before, when left out), without what is hidden. `isSpread`: also by
 * weekday and duration, as CSV files have them.
 */
export async function gatherReport(
  t: TxCtx,
  {
    question,
    companies,
    hidden,
    compared = daysBefore(question.range),
    isSpread = false,
  }: {
    question: Question;
    companies: readonly CompanyPlaced[];
    hidden: Hidden | null;
    compared?: Range;
    isSpread?: boolean;
  },
): Promise<GatheredReport> {
  const counted = await countCalls(t, question, companies, isSpread);
  const before = await countCalls(
    t,
    { ...question, group: 'none', series: null, range: compared },
    companies,
  );
  const companyIds = companies.map(({ id }) => id);
  const words = await questionWords(t, question, companies);
  return {
    ...{ companyIds, question, compared, at: t.now, of: await nameOfAll(t, question, companies) },
    rows: await shownRows(t, question, companies, { counted, hidden }),
    totals: figuresOf(counted.total, question.withoutCallers),
    before: figuresOf(before.total, question.withoutCallers),
    words: hidden ? await t.contactDetails.mask(t.db, companyIds, hidden, words) : words,
  };
}

/** The same without what is hidden from another reader. */
export async function hideIn(
  ctx: Pick<TxCtx, 'contactDetails' | 'db'>,
  report: GatheredReport,
  hidden: Hidden | null,
): Promise<GatheredReport> {
  if (!hidden) return report;
  const { companyIds, rows, words } = report;
  const masked = await ctx.contactDetails.mask(ctx.db, companyIds, hidden, {
    words,
    names: rows.map(({ row: { key, label } }) => ({ key, label })),
  });
  return {
    ...report,
    words: masked.words,
    rows: rows.map((one, i) => ({ ...one, row: { ...one.row, ...masked.names[i] } })),
  };
}
