import type { TxCtx } from '../../platform/context.ts';
import { recordTextActivities } from '../numbers/index.ts';
import { enqueueKeywordAnswers, type InboundText } from './answer-keyword.ts';
import { queueConfirmations, type AppliedKeyword } from './inbound-keywords.ts';
import type { PresentableItem } from './present.ts';
import type { StoredMedia } from './item-details.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import type { UpdatedConversation } from './store-inbound.ts';
import { cancelScheduledOnReply } from './store-items.ts';
import type { ListJoins } from './store-list-joins.ts';
import { hasAfterHoursReply, enqueueAfterHoursReplies } from './team/after-hours-reply.ts';
import { fetchMediaJob } from './job-kinds.ts';

/** A text just stored; those of blocked parties are stored as read. */
export interface NewInboundItem extends PresentableItem {
  /** The carrier's ID of the text. */
  eventId: string;
  details: { content: string; media: StoredMedia[] };
}

interface StoredTexts {
  /** In the order in which they arrived. */
  items: readonly NewInboundItem[];
  conversations: readonly UpdatedConversation[];
  /** By the carrier's ID of the text. */
  keywords: ReadonlyMap<string, AppliedKeyword>;
  joins: ListJoins;
  /** One of the numbers has keyword rules. */
  hasTriggers: boolean;
}

/**
 * Follow-ups of stored texts: fetches pictures, cancels scheduled texts, answers, counts.
 */
export async function reactToTexts(t: TxCtx, stored: StoredTexts): Promise<void> {
  const { items, conversations, keywords, joins, hasTriggers } = stored;
  for (const item of items)
    if (item.details.media.length) await t.enqueue(fetchMediaJob, { itemId: item.id });
  await cancelRepliedPlans(t, conversations);
  const byId = new Map(conversations.map((c) => [c.id, c]));
  const received = items.filter((item) => !item.read_at);
  const answerable = received
    .filter((item) => !keywords.has(item.eventId))
    .flatMap((item) => inboundTextOf(item, byId.get(item.conversation_id)));
  if (hasTriggers) await enqueueKeywordAnswers(t, answerable);
  await enqueueAfterHoursReplies(t, answerable, hasAfterHoursReply(joins.numbers));
  // The numbers' own rows last: everyone who texts them waits for these locks.
  const usage = countByNumber(received);
  if (usage.length) await recordTextActivities(t, usage, t.now);
  const confirmations = received.flatMap((item) => {
    const [keyword, conversation] = [keywords.get(item.eventId), byId.get(item.conversation_id)];
    return keyword?.reply && conversation ? { keyword, conversation } : [];
  });
  await queueConfirmations(t, confirmations);
}

/** Cancels scheduled texts that a reply cancels. */
async function cancelRepliedPlans(
  t: TxCtx,
  conversations: readonly UpdatedConversation[],
): Promise<void> {
  for (const c of conversations.filter((each) => each.cancels))
    for (const plan of await cancelScheduledOnReply(t.tx, t.companyId, c.id))
      await publishConversationUpdated(t, 'item_updated', c, plan);
}

const inboundTextOf = (
  item: NewInboundItem,
  conversation: UpdatedConversation | undefined,
): InboundText[] =>
  conversation
    ? [
        {
          numberId: conversation.number_id,
          party: conversation.party,
          text: item.details.content,
          conversationId: conversation.id,
          itemId: item.id,
        },
      ]
    : [];

/** How many texts each number received. */
function countByNumber(items: readonly NewInboundItem[]) {
  const counts = new Map<number, number>();
  for (const { number_id: id } of items) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts].map(([numberId, n]) => ({ numberId, unread: n, texts: n }));
}
