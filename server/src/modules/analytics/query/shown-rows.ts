import type { TxCtx } from '../../../platform/context.ts';
import { hiddenFromActor } from '../../../platform/masking/contact-details.ts';
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
  const names = await maskedNames(
    ctx,
    rows.map(({ row }) => row),
    companies,
    hidden,
  );
  return rows.map((one, i) => ({ ...one, row: { ...one.row, ...names[i] } }));
}

/** Keys and labels of rows without these details. */
export async function maskedNames(
  ctx: Pick<TxCtx, 'contactDetails' | 'db'>,
  rows: readonly { key: string; label: string }[],
  companies: readonly CompanyAsked[],
  hidden: Hidden | null,
): Promise<{ key: string; label: string }[]> {
  const names = rows.map(({ key, label }) => ({ key, label }));
  if (!hidden) return names;
  const ids = companies.map(({ id }) => id);
  return ctx.contactDetails.mask(ctx.db, ids, hidden, names);
}

/** What is hidden from the actor in any of these companies, whose rows can be one. Null: nothing. */
export function hiddenIn(ctx: TxCtx, companies: readonly CompanyAsked[]): Hidden | null {
  const found = [
    ctx.contactDetails.hiddenFrom(ctx),
    ...companies
      .filter(({ id }) => id !== ctx.companyId)
      .map(({ id }) => hiddenFromActor(ctx.actor, id)),
  ].filter((hidden) => hidden !== null);
  return found.length ? { numbers: found.some(({ numbers }) => numbers) } : null;
}
