import type { TxCtx } from '../../../platform/context.ts';
import { answerCounted } from '../query/analyze-calls.ts';
import type { CompanyAsked } from '../query/companies-asked.ts';
import { pointsOf } from '../query/present.ts';
import type { Question } from '../query/question.ts';
import type { Figures } from './figures.ts';

/** Figures of calls by the question’s group: those of GET /analytics/calls. */
export async function callFigures(
  ctx: TxCtx,
  question: Question,
  companies: readonly CompanyAsked[],
): Promise<Figures> {
  const { counted, answer } = await answerCounted(ctx, question, companies);
  const { data, totals, meta } = answer;
  return {
    data: data.map(({ key, label, figures }) => ({ key, label, values: figures })),
    totals,
    rowCount: meta.row_count,
    checksum: meta.checksum,
    companies: counted.companies,
  };
}

/** Calls by weekday and hour: each weekday has the calls of its 24 hours. */
export async function heatmapFigures(
  ctx: TxCtx,
  question: Question,
  companies: readonly CompanyAsked[],
): Promise<Figures> {
  const { counted, answer } = await answerCounted(ctx, question, companies);
  const { data, meta } = answer;
  const rows = data.map(({ key, label, series }) => ({
    key,
    label,
    values: Object.fromEntries((series ?? []).map((point) => [point.key, point.value ?? 0])),
  }));
  const totals = Object.fromEntries(
    pointsOf('hour', question.range).map((hour) => [
      hour,
      rows.reduce((sum, { values }) => sum + (values[hour] ?? 0), 0),
    ]),
  );
  return {
    data: rows,
    totals,
    rowCount: meta.row_count,
    checksum: meta.checksum,
    companies: counted.companies,
  };
}
