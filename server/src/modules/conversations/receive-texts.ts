import type { Services, OutboxNotifier, TxCtx } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { IncomingText } from '../../gateways/messaging.ts';
import { companyRow } from '../companies/index.ts';
import { applyKeyword, matchesBlock, keywordOf, targetsMatching } from '../compliance/index.ts';
import { findOrCreateContacts } from '../contacts/index.ts';
import { directoryEntries, recordTextActivities } from '../numbers/index.ts';
import { enqueueKeywordAnswers } from './answer-keyword.ts';
import { enqueueBatched, queueOf, storeWithFallback, type Queues } from './batch-queue.ts';
import type { StoredMedia, PresentableItem } from './present.ts';
import { queueText } from './queue-text.ts';
import { hasAfterHoursReply, enqueueAfterHoursReplies } from './team/after-hours-reply.ts';
import { keywordConfirmation, segmentsOf } from './rules.ts';
import {
  publishConversationsUpdated,
  publishConversationUpdated,
} from './publish-conversation-updated.ts';
import { loadListJoins } from './store-list-joins.ts';
import {
  loadInboundContext,
  insertTexts,
  pairKey,
  type UpdatedConversation,
} from './store-inbound.ts';
import { cancelScheduledOnReply } from './store-items.ts';

export type ReceiveResult = 'stored' | 'known' | 'not_ours';
export interface RoutedText {
  numberId: number;
  text: IncomingText;
}
const routingQueues: Queues<IncomingText, ReceiveResult> = new WeakMap();
const storingQueues: Queues<RoutedText, ReceiveResult> = new WeakMap();

/**
 * A text for one of our numbers, stored together with those that arrived while the last ones were being committed: one transaction
 * for all of a company, acknowledged after its commit. One carrier's id is stored once, however often it comes.
 */
export const receiveText = (
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  text: IncomingText,
): Promise<ReceiveResult> =>
  enqueueBatched(queueOf(routingQueues, services, carrier), text, async (batch) => {
    const entries = await directoryEntries(
      services.db.unscoped,
      batch.map((w) => w.value.to),
    );
    for (const w of batch) {
      const entry = entries.get(w.value.to);
      if (!entry) {
        w.resolve('not_ours');
        continue;
      }
      void enqueueBatched(
        queueOf(storingQueues, services, `${carrier}:${entry.company_id}`),
        { numberId: entry.number_id, text: w.value },
        (more) =>
          storeWithFallback(more, (texts) =>
            systemCtx(services, entry.company_id, notifier, 'carrier-text').transaction((t) =>
              storeTexts(t, carrier, texts),
            ),
          ),
      ).then(w.resolve, w.reject);
    }
  });

/**
 * Store texts that came in. All statements are about all texts: their number does not grow with the batch, but for reserved words.
 * STOP and START change the ledger in the same transaction, and their one confirmation is queued in it.
 */
export async function storeTexts(
  t: TxCtx,
  carrier: string,
  routed: readonly RoutedText[],
): Promise<ReceiveResult[]> {
  const keyOfText = (a: RoutedText) => pairKey({ numberId: a.numberId, party: a.text.from });
  const pairsOf = (some: readonly RoutedText[]) => [
    ...new Map(
      some.map((a) => [keyOfText(a), { numberId: a.numberId, party: a.text.from }]),
    ).values(),
  ];
  const {
    storedEventIds: known,
    conversationIds: ids,
    hasTriggers: rules,
  } = await loadInboundContext(
    t.tx,
    t.companyId,
    carrier,
    routed.map((a) => a.text.id),
    pairsOf(routed),
  );
  const newTexts = [
    ...new Map(routed.filter((a) => !known.has(a.text.id)).map((a) => [a.text.id, a])).values(),
  ];
  if (!newTexts.length) return routed.map(() => 'known');
  const pairs = pairsOf(newTexts);
  const keywordByEvent = await applyKeywords(t, newTexts);
  const parties = [...new Set(pairs.map((p) => p.party))];
  const joins = await loadListJoins(t.tx, t.companyId, {
    numbers: pairs.map((p) => p.numberId),
    contacts: [],
    parties,
    targets: [...new Set(parties.flatMap(targetsMatching))],
  });
  const blockedPairs = new Set(
    joins.rules.length
      ? pairs.filter((p) => matchesBlock(joins.rules, p.numberId, p.party)).map(pairKey)
      : [],
  );
  const contacts = await findOrCreateContacts(
    t,
    pairs.filter((p) => !blockedPairs.has(pairKey(p))).map((p) => p.party),
  );
  const texts = newTexts.map((a) => ({
    of: a,
    details: {
      content: a.text.text,
      media: storedMediaOf(a.text),
      ...segmentsOf(a.text.text),
      errorCode: null,
      errorText: null,
      clientKey: null,
      automatic: null,
      sentAt: new Date(a.text.at).toISOString(),
    },
  }));
  const changedConversations = await insertTexts(
    t.tx,
    t.companyId,
    carrier,
    texts.map(({ of, details }) => ({
      conversationId: ids.get(keyOfText(of))!,
      numberId: of.numberId,
      party: of.text.from,
      contactId: contacts.get(of.text.from)?.id ?? null,
      text: of.text.text,
      eventId: of.text.id,
      quiet: blockedPairs.has(keyOfText(of)),
      details: JSON.stringify(details),
    })),
    t.now,
  );
  const items = changedConversations.flatMap((c) =>
    c.items.map(([n, id]) =>
      newItemOf(
        t,
        c,
        n,
        id,
        texts[n - 1]!,
        blockedPairs.has(pairKey({ numberId: c.number_id, party: c.party })),
      ),
    ),
  );
  if (!items.length) return routed.map(() => 'known'); // somebody else stored them meanwhile
  // In the order in which they came, whatever their conversations' order is.
  items.sort((a, b) => a.n - b.n);
  const conversations = new Map(changedConversations.map((c) => [c.id, c]));
  // Of who is kept out, contacts were not looked up.
  await publishConversationsUpdated(
    t,
    'new_item',
    changedConversations,
    items,
    blockedPairs.size
      ? { numbers: joins.numbers }
      : { joins: { ...joins, contacts: new Map([...contacts.values()].map((c) => [c.id, c])) } },
  );
  for (const item of items)
    if (item.details.media.length) await t.enqueue('conversations.fetchMedia', { itemId: item.id });
  for (const c of changedConversations)
    if (c.cancels)
      for (const plan of await cancelScheduledOnReply(t.tx, t.companyId, c.id))
        await publishConversationUpdated(t, 'item_updated', c, plan);
  const answerable = items
    .filter((i) => !i.read_at && !keywordByEvent.has(i.eventId))
    .map((i) => {
      const c = conversations.get(i.conversation_id)!;
      return {
        numberId: c.number_id,
        party: c.party,
        text: i.details.content,
        conversationId: c.id,
        itemId: i.id,
      };
    });
  if (rules) await enqueueKeywordAnswers(t, answerable);
  await enqueueAfterHoursReplies(t, answerable, hasAfterHoursReply(joins.numbers));
  // The numbers' own rows last: everybody who texts them waits for them.
  const usage = countByNumber(items);
  if (usage.length) await recordTextActivities(t, usage, t.now);
  await queueConfirmations(
    t,
    items
      .filter((i) => !i.read_at && keywordByEvent.get(i.eventId)?.reply)
      .map((i) => ({
        word: keywordByEvent.get(i.eventId)!.word,
        of: conversations.get(i.conversation_id)!,
      })),
  );
  const stored = new Set(items.map((i) => i.eventId));
  return routed.map((a) => (stored.has(a.text.id) ? 'stored' : 'known'));
}

interface NewInboundItem extends PresentableItem {
  /** Its place in the order in which the texts came. */ n: number;
  eventId: string;
  details: { content: string; media: StoredMedia[] };
}
const newItemOf = (
  t: TxCtx,
  c: UpdatedConversation,
  n: number,
  id: number,
  { of: routed, details }: { of: RoutedText; details: NewInboundItem['details'] },
  quiet: boolean,
): NewInboundItem => ({
  n,
  eventId: routed.text.id,
  id,
  conversation_id: c.id,
  number_id: c.number_id,
  kind: 'message',
  is_inbound: true,
  created_at: t.now,
  read_at: quiet ? t.now : null,
  actor_id: null,
  actor_name: null,
  details,
  delivery_state: 'received',
});

const storedMediaOf = (text: IncomingText): StoredMedia[] =>
  text.media
    .slice(0, 20)
    .map((m) => ({ fileId: null, type: m.contentType, bytes: 0, name: m.name, from: m.url }));

/** What reserved words did to the ledger, by the carrier's id of the text. In the order of the parties, so that two batches never wait in a circle. */
async function applyKeywords(t: TxCtx, arrived: readonly RoutedText[]) {
  const words = new Map<string, NonNullable<Awaited<ReturnType<typeof applyKeyword>>>>();
  const keywordTexts = arrived
    .filter((a) => a.text.answered ?? keywordOf(a.text.text))
    .sort((a, b) => (a.text.from < b.text.from ? -1 : Number(a.text.from > b.text.from)));
  for (const { numberId, text } of keywordTexts) {
    const word = await applyKeyword(t, {
      from: text.from,
      numberId,
      text: text.text,
      answered: text.answered,
    });
    if (word) words.set(text.id, word);
  }
  return words;
}

/** The one answer that each of these reserved words gets. */
async function queueConfirmations(
  t: TxCtx,
  confirmations: readonly {
    word: Parameters<typeof keywordConfirmation>[0];
    of: { number_id: number; party: string };
  }[],
): Promise<void> {
  if (!confirmations.length) return;
  const company = await companyRow(t.tx, t.companyId);
  const companyInfo = {
    name: company?.name ?? '',
    phone: company?.phone ?? null,
    email: company?.email ?? null,
  };
  for (const { word, of } of confirmations)
    await queueText(t, {
      numberId: of.number_id,
      party: of.party,
      content: keywordConfirmation(word, companyInfo),
      media: [],
      automatic: word,
    });
}

/** How many texts each number got. Those of blocked parties came read, and count for nobody. */
function countByNumber(items: readonly NewInboundItem[]) {
  const counts = new Map<number, number>();
  for (const item of items)
    if (!item.read_at) counts.set(item.number_id, (counts.get(item.number_id) ?? 0) + 1);
  return [...counts].map(([numberId, n]) => ({ numberId, unread: n, texts: n }));
}
