import type { DeliveryState } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { contactsByNumber } from '../contacts/index.ts';
import { numberTexted } from '../numbers/index.ts';
import type { KeptMedia } from './present.ts';
import { segmentsOf } from './rules.ts';
import { summaryOf } from './store.ts';
import { bumpFiled, insertFiled, moveItems, type Move } from './store-filed.ts';
import { openConversations, pairKey } from './store-inbound.ts';

export interface FiledText {
  party: string;
  content: string;
  media: readonly KeptMedia[];
  at: Date;
  state: DeliveryState;
  code: string | null;
  reason: string | null;
  /** What of its sender's it stands for, once. */ source: string;
}
export interface Filing {
  numberId: number;
  carrier: string;
  /** Whose texts they are. */ actor: { id: number | null; name: string | null };
  /** New conversations begin put away, and the others keep their place: the text shows when somebody answers. */ skipInbox: boolean;
  texts: readonly FiledText[];
}

/**
 * Give many texts of ours, which somebody else handed to the carrier, their places in conversations. Their number of statements
 * does not grow with the texts. Twice is once: a text is known by its source. Saying so is the caller's: one event for all.
 */
export async function fileTexts(
  t: TxCtx,
  f: Filing,
): Promise<Map<string, { itemId: number; conversationId: number }>> {
  const contacts = new Map(
    (
      await contactsByNumber(
        t.tx,
        t.companyId,
        f.texts.map((x) => x.party),
      )
    ).map((c) => [c.number, c.id]),
  );
  const parties = [...new Set(f.texts.map((x) => x.party))];
  const open = await openConversations(
    t.tx,
    t.companyId,
    parties.map((party) => ({
      numberId: f.numberId,
      party,
      contactId: contacts.get(party) ?? null,
      archived: f.skipInbox,
    })),
    t.now,
  );
  const conversationOf = (party: string) => open.get(pairKey({ numberId: f.numberId, party }))!;
  const details = (x: FiledText) => ({
    content: x.content,
    media: x.media,
    ...segmentsOf(x.content),
    errorCode: x.code,
    errorText: x.reason,
    clientKey: null,
    automatic: null,
  });
  const items = await insertFiled(
    t.tx,
    t.companyId,
    f.carrier,
    f.actor,
    f.texts.map((x) => ({
      conversationId: conversationOf(x.party),
      numberId: f.numberId,
      at: x.at,
      details: JSON.stringify(details(x)),
      text: x.content,
      state: x.state,
      source: x.source,
    })),
  );
  await bumpFiled(
    t.tx,
    t.companyId,
    items.map((i) => ({
      conversationId: i.conversation_id,
      itemId: i.id,
      at: i.created_at,
      details: JSON.stringify(summaryOf(i)),
    })),
    f.skipInbox,
  );
  const newest = f.texts.reduce((at, x) => (x.at > at ? x.at : at), f.texts[0]!.at);
  await numberTexted(t, f.numberId, newest, 0, f.texts.length);
  return new Map(
    items.map((i) => [i.source!, { itemId: i.id, conversationId: i.conversation_id }]),
  );
}

/** What became of filed texts, many at once. Answers how many moved. */
export const moveFiledTexts = (t: TxCtx, moves: readonly Move[]): Promise<number> =>
  moves.length ? moveItems(t.tx, t.companyId, moves) : Promise.resolve(0);
