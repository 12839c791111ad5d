import type { Body } from '#contract';
import type { Item } from '#contract/conversations/schemas';
import type { converse as said } from '#contract/conversations/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { mustBe } from '../../platform/must-be.ts';
import { requireTextable } from './textable.ts';
import { itemAnswer } from './read.ts';
import { queueText } from './queue-text.ts';
import { partiesOfCall } from './store-notes.ts';

/**
 * Texts the other party of a call from the call's number (A9.4). `not_found` when the user may not
 * see the number; `message.empty` without text.
 */
export async function converse(
  ctx: TxCtx,
  callId: number,
  body: Body<typeof said>,
): Promise<{ data: Item }> {
  const call = (await partiesOfCall(ctx.tx, ctx.companyId, callId)) ?? notFound();
  if (ctx.numbers && !ctx.numbers.includes(call.number_id)) notFound();
  const content = body.message.trim();
  if (!content) fail('message.empty');
  await requireTextable(ctx, call.number_id, call.party);
  const queued = await queueText(ctx, {
    numberId: call.number_id,
    party: call.party,
    content,
    media: [],
    clientKey: body.clientKey ?? null,
  });
  return itemAnswer(ctx, mustBe(queued, 'the text, which repeats no earlier one').item);
}
