import type { DeliveryState } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { segmentsOf } from '../messaging/index.ts';
import { recordTextActivity } from '../numbers/index.ts';
import type { StoredMedia } from './item-details.ts';
import { summaryOf } from './store.ts';
import {
  bumpConversations,
  insertCampaignMessages,
  updateDeliveryStates,
  type DeliveryStateChange,
} from './store-campaign-messages.ts';
import { openConversations, pairKey } from './store-inbound.ts';

export interface CampaignMessage {
  party: string;
  content: string;
  media: readonly StoredMedia[];
  at: Date;
  state: DeliveryState;
  code: string | null;
  reason: string | null;
  /** The recipient it belongs to; each is added once. */
  source: string;
}
interface CampaignMessageBatch {
  numberId: number;
  carrier: string;
  /** Who sent them. */
  actor: { id: number | null; name: string | null };
  /** New conversations start archived and existing ones stay where they are until a reply. */
  skipInbox: boolean;
  texts: readonly CampaignMessage[];
}

/**
 * Adds submitted campaign texts to conversations, in a number of statements that doesn't grow with
 * them. Returns their items by `source`; adding one twice changes nothing. The caller publishes one
 * event for all.
 */
export async function appendCampaignMessages(
  t: TxCtx,
  batch: CampaignMessageBatch,
): Promise<Map<string, { itemId: number; conversationId: number }>> {
  const conversationIds = await openRecipients(t, batch);
  const items = await insertCampaignMessages(
    t.tx,
    t.companyId,
    batch.carrier,
    batch.actor,
    batch.texts.map((text) => ({
      conversationId: mustBe(
        conversationIds.get(pairKey({ numberId: batch.numberId, party: text.party })),
        'conversation, which openRecipients returns for each recipient',
      ),
      numberId: batch.numberId,
      at: text.at,
      details: JSON.stringify(detailsOf(text)),
      text: text.content,
      state: text.state,
      source: text.source,
    })),
  );
  const latest = items.map((item) => ({
    conversationId: item.conversation_id,
    itemId: item.id,
    at: item.created_at,
    details: JSON.stringify(summaryOf(item)),
  }));
  await bumpConversations(t.tx, t.companyId, latest, batch.skipInbox);
  const newest = new Date(Math.max(...batch.texts.map((text) => text.at.getTime())));
  await recordTextActivity(t, batch.numberId, newest, 0, batch.texts.length);
  return new Map(
    items.flatMap(({ source, id, conversation_id }) =>
      source === null ? [] : [[source, { itemId: id, conversationId: conversation_id }]],
    ),
  );
}

/** The conversations with the recipients, created where missing; their IDs by `pairKey`. */
async function openRecipients(
  t: TxCtx,
  { numberId, texts, skipInbox }: CampaignMessageBatch,
): Promise<Map<string, number>> {
  const parties = [...new Set(texts.map((text) => text.party))];
  const contacts = await contactsByNumber(t.tx, t.companyId, parties);
  const contactIds = new Map(contacts.map((contact) => [contact.number, contact.id]));
  const pairs = parties.map((party) => ({
    numberId,
    party,
    contactId: contactIds.get(party) ?? null,
    archived: skipInbox,
  }));
  return openConversations(t.tx, t.companyId, pairs, t.now);
}

const detailsOf = (text: CampaignMessage) => ({
  content: text.content,
  media: text.media,
  ...segmentsOf(text.content),
  errorCode: text.code,
  errorText: text.reason,
  clientKey: null,
  automatic: null,
});

/** Stores delivery states of added texts; returns how many changed. */
export const updateCampaignMessages = (
  t: TxCtx,
  updates: readonly DeliveryStateChange[],
): Promise<number> =>
  updates.length ? updateDeliveryStates(t.tx, t.companyId, updates) : Promise.resolve(0);
