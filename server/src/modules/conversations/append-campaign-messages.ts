import type { DeliveryState } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { segmentsOf } from '../messaging/index.ts';
import { recordTextActivity } from '../numbers/index.ts';
import type { StoredMedia } from './present.ts';
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
  /** The recipient it belongs to; each is added once. */ source: string;
}
export interface CampaignMessageBatch {
  numberId: number;
  carrier: string;
  /** Who sent them. */ actor: { id: number | null; name: string | null };
  /** New conversations start archived and others keep their place, until someone replies. */ skipInbox: boolean;
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
  const contacts = new Map(
    (
      await contactsByNumber(
        t.tx,
        t.companyId,
        batch.texts.map((x) => x.party),
      )
    ).map((c) => [c.number, c.id]),
  );
  const parties = [...new Set(batch.texts.map((x) => x.party))];
  const open = await openConversations(
    t.tx,
    t.companyId,
    parties.map((party) => ({
      numberId: batch.numberId,
      party,
      contactId: contacts.get(party) ?? null,
      archived: batch.skipInbox,
    })),
    t.now,
  );
  const conversationOf = (party: string) => open.get(pairKey({ numberId: batch.numberId, party }))!;
  const details = (x: CampaignMessage) => ({
    content: x.content,
    media: x.media,
    ...segmentsOf(x.content),
    errorCode: x.code,
    errorText: x.reason,
    clientKey: null,
    automatic: null,
  });
  const items = await insertCampaignMessages(
    t.tx,
    t.companyId,
    batch.carrier,
    batch.actor,
    batch.texts.map((x) => ({
      conversationId: conversationOf(x.party),
      numberId: batch.numberId,
      at: x.at,
      details: JSON.stringify(details(x)),
      text: x.content,
      state: x.state,
      source: x.source,
    })),
  );
  await bumpConversations(
    t.tx,
    t.companyId,
    items.map((i) => ({
      conversationId: i.conversation_id,
      itemId: i.id,
      at: i.created_at,
      details: JSON.stringify(summaryOf(i)),
    })),
    batch.skipInbox,
  );
  const newest = batch.texts.reduce((at, x) => (x.at > at ? x.at : at), batch.texts[0]!.at);
  await recordTextActivity(t, batch.numberId, newest, 0, batch.texts.length);
  return new Map(
    items.map((i) => [i.source!, { itemId: i.id, conversationId: i.conversation_id }]),
  );
}

/** Stores delivery states of added texts; returns how many changed. */
export const updateCampaignMessages = (
  t: TxCtx,
  updates: readonly DeliveryStateChange[],
): Promise<number> =>
  updates.length ? updateDeliveryStates(t.tx, t.companyId, updates) : Promise.resolve(0);
