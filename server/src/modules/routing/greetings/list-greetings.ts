import type { Answer, greetings as contract, PageAnswer, Query } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentDetail, presentGreeting } from './present.ts';
import { greetingRow, greetingsPage, greetingUses } from './store.ts';

/** GET /greetings: the library, newest first, each with how many places use it. */
export async function listGreetings(
  ctx: TxCtx,
  query: Query<typeof contract.listGreetings>,
): Promise<PageAnswer<contract.Greeting>> {
  const { rows, total } = await greetingsPage(ctx.tx, ctx.companyId, query);
  const uses = await greetingUses(
    ctx.tx,
    ctx.companyId,
    rows.map((row) => row.id),
  );
  return {
    rows: rows.map((row) =>
      presentGreeting(ctx, row, uses.filter((use) => use.greeting_id === row.id).length),
    ),
    total,
  };
}

/** GET /greetings/{id}, with every place that uses it. `not_found` when it doesn't exist. */
export async function getGreeting(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getGreeting>> {
  const row = (await greetingRow(ctx.tx, ctx.companyId, id)) ?? notFound();
  return { data: presentDetail(ctx, row, await greetingUses(ctx.tx, ctx.companyId, [id])) };
}
