import type { Body } from '#contract';
import type { Item, converse as said } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { mustBeTextable } from './may-text.ts';
import { answerItem } from './read.ts';
import { queueText } from './queue-text.ts';
import { sidesOfCall } from './store-notes.ts';

/** Text the other party of a call from the call's number (A9.4). */
export async function converse(
  ctx: TxCtx,
  callId: number,
  body: Body<typeof said>,
): Promise<{ data: Item }> {
  const call = (await sidesOfCall(ctx.tx, ctx.companyId, callId)) ?? missing();
  if (ctx.numbers && !ctx.numbers.includes(call.number_id)) missing();
  const content = body.message.trim();
  if (!content) refuse('message.empty');
  await mustBeTextable(ctx, call.number_id, call.party);
  const queued = await queueText(ctx, {
    numberId: call.number_id,
    party: call.party,
    content,
    media: [],
    clientKey: body.clientKey ?? null,
  });
  return answerItem(ctx, queued!.item);
}
