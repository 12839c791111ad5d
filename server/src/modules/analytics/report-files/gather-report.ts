import type { CallFigures } from '#contract/analytics/call-analytics/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import { companyRow } from '../../companies/index.ts';
import { countCalls } from '../query/count-calls.ts';
import { questionWords } from '../query/question-words.ts';
import { figuresOf, type ShownRow } from '../query/present.ts';
import { daysBefore, type Question, type Range } from '../query/question.ts';
import { shownRows } from '../query/shown-rows.ts';

/** What a file of a report is made of. */
export interface GatheredReport {
  companyId: number;
  company: string;
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
 * Counts a report of the company with its numbers in `only` (null: all), against `compared` (as many
 * days before, when left out), without what is hidden. `isSpread`: also by weekday and duration, as
 * CSV files have them.
 */
export async function gatherReport(
  t: TxCtx,
  {
    question,
    only,
    hidden,
    compared = daysBefore(question.range),
    isSpread = false,
  }: {
    question: Question;
    only: readonly number[] | null;
    hidden: Hidden | null;
    compared?: Range;
    isSpread?: boolean;
  },
): Promise<GatheredReport> {
  const seen = [{ id: t.companyId, only }];
  const counted = await countCalls(t, question, seen, isSpread);
  const before = await countCalls(
    t,
    { ...question, group: 'none', series: null, range: compared },
    seen,
  );
  const company = await companyRow(t.tx, t.companyId);
  const words = await questionWords(t, question, { id: t.companyId, only });
  return {
    ...{ companyId: t.companyId, company: company?.name ?? '', question, compared, at: t.now },
    rows: await shownRows(t, question, seen, { counted, hidden }),
    totals: figuresOf(counted.total, question.withoutCallers),
    before: figuresOf(before.total, question.withoutCallers),
    words: hidden ? await t.contactDetails.mask(t.db, [t.companyId], hidden, words) : words,
  };
}

/** The same without what is hidden from another reader. */
export async function hideIn(
  ctx: Pick<TxCtx, 'contactDetails' | 'db'>,
  report: GatheredReport,
  hidden: Hidden | null,
): Promise<GatheredReport> {
  if (!hidden) return report;
  const { companyId, rows, words } = report;
  const masked = await ctx.contactDetails.mask(ctx.db, [companyId], hidden, {
    words,
    names: rows.map(({ row: { key, label } }) => ({ key, label })),
  });
  return {
    ...report,
    words: masked.words,
    rows: rows.map((one, i) => ({ ...one, row: { ...one.row, ...masked.names[i] } })),
  };
}
