import type { TxCtx } from '../../../platform/context.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import type { CompanyAsked } from './companies-asked.ts';
import type { Counted } from './count-calls.ts';
import { presentRows, type ShownRow } from './present.ts';
import type { Question } from './question.ts';

/** The rows as someone sees them from whom these details are hidden. */
export async function shownRows(
  ctx: Pick<TxCtx, 'contactDetails' | 'db'>,
  question: Question,
  companies: readonly CompanyAsked[],
  { counted, hidden }: { counted: Counted; hidden: Hidden | null },
): Promise<ShownRow[]> {
  const rows = presentRows(counted, question);
  if (!hidden) return rows;
  const names = await ctx.contactDetails.mask(
    ctx.db,
    companies.map(({ id }) => id),
    hidden,
    rows.map(({ row: { key, label } }) => ({ key, label })),
  );
  return rows.map((one, i) => ({ ...one, row: { ...one.row, ...names[i] } }));
}
