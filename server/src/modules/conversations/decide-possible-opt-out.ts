import type { Answer, Body } from '#contract';
import type { decidePossibleOptOut as said } from '#contract/conversations/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { decideOptOut } from '../compliance/index.ts';
import { publishConversationsUpdated } from './publish-conversation-updated.ts';
import { conversationAnswer, findConversation } from './read.ts';
import { conversationsOfParty } from './store.ts';

/**
 * Decides whether the other party's text was an opt-out, or takes the decision back. Opting out is
 * company-wide, so all conversations with the party follow. `not_found` when there is nothing to
 * decide.
 */
export async function decidePossibleOptOut(
  ctx: TxCtx,
  id: number,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  // Not locked yet: the opt-out before the conversation, as an inbound STOP locks them.
  const { party, number_id: numberId } = await findConversation(ctx, id);
  if (await decideOptOut(ctx, { conversationId: id, party, numberId }, body.decision))
    await publishConversationsUpdated(
      ctx,
      'opt_out',
      await conversationsOfParty(ctx.tx, ctx.companyId, party, null),
    );
  return conversationAnswer(ctx, await findConversation(ctx, id));
}
