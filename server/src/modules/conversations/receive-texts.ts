import { readParty } from '#contract/read-party';
import type { Services, OutboxNotifier, TxCtx } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import type { IncomingText } from '../../gateways/messaging.ts';
import { matchesBlock, targetsMatching } from '../compliance/index.ts';
import { findOrCreateContacts } from '../contacts/index.ts';
import { createBatchQueue, segmentsOf, storeWithFallback } from '../messaging/index.ts';
import { directoryEntries } from '../numbers/index.ts';
import { matchedSource } from '../tracking/index.ts';
import { applyKeywords } from './inbound-keywords.ts';
import { reactToTexts, type NewInboundItem } from './react-to-texts.ts';
import { matchedFacts, type StoredMedia } from './item-details.ts';
import { matchesOfTexts, storeTextMatches } from './match-texts.ts';
import { publishConversationsUpdated } from './publish-conversation-updated.ts';
import { loadListJoins } from './store-list-joins.ts';
import {
  loadInboundContext,
  insertTexts,
  pairKey,
  type ConversationKey,
  type RoutedText,
  type UpdatedConversation,
} from './store-inbound.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/** `known`: stored before. `not_ours`: it was sent to none of our numbers. */
type ReceiveResult = 'stored' | 'known' | 'not_ours';

const maxBatch = 200;
const routingQueue = createBatchQueue<IncomingText, ReceiveResult>({ maxBatch });
const storingQueue = createBatchQueue<RoutedText, ReceiveResult>({ maxBatch });

/**
 * Stores a text for one of our numbers, together with those that arrived while the last ones were
 * being committed: one transaction for all of a company. Resolves after the commit. Each carrier's
 * ID is stored once, however often it arrives.
 */
export const receiveText = (
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  text: IncomingText,
): Promise<ReceiveResult> =>
  routingQueue.add(services, carrier, text, async (batch) => {
    const ourNumbers = batch.map((pending) => pending.value.to);
    const entries = await directoryEntries(services.db.unscoped, ourNumbers);
    for (const { value: sent, resolve, reject } of batch) {
      const value = { ...sent, from: readParty(sent.from) };
      const entry = entries.get(value.to);
      if (!entry) {
        resolve('not_ours');
        continue;
      }
      const { company_id: companyId, number_id: numberId } = entry;
      const ctx = systemCtx(services, companyId, notifier, 'carrier-text');
      void storingQueue
        .add(services, `${carrier}:${companyId}`, { numberId, text: value }, (routed) =>
          storeWithFallback(routed, (texts) =>
            ctx.transaction((t) => storeTexts(t, carrier, texts)),
          ),
        )
        .then(resolve, reject);
    }
  });

const keyOf = ({ numberId, text }: RoutedText): string => pairKey({ numberId, party: text.from });
/** Each number and party once. */
const pairsOf = (texts: readonly RoutedText[]): ConversationKey[] => [
  ...new Map(
    texts.map((each) => [keyOf(each), { numberId: each.numberId, party: each.text.from }]),
  ).values(),
];

/**
 * Stores inbound texts: the one implementation, for one and for many. All statements are about all
 * texts, so their number doesn't grow with the batch, except for keywords. STOP and START change the
 * opt-out ledger in the same transaction, which also queues their one confirmation.
 */
export async function storeTexts(
  t: TxCtx,
  carrier: string,
  routed: readonly RoutedText[],
): Promise<ReceiveResult[]> {
  const eventIds = routed.map((each) => each.text.id);
  const context = await loadInboundContext(t.tx, t.companyId, carrier, eventIds, pairsOf(routed));
  const unknown = routed.filter((each) => !context.storedEventIds.has(each.text.id));
  // Of one that arrived twice at once, one is stored.
  const texts = [...new Map(unknown.map((each) => [each.text.id, each])).values()];
  if (!texts.length) return routed.map(() => 'known');
  const keywords = await applyKeywords(t, texts);
  const senders = await loadSenders(t, texts);
  const { joins, isBlocked, contacts } = senders;
  const found = await matchesOfTexts(
    t,
    texts.map((each) => ({ numberId: each.numberId, party: each.text.from })),
  );
  const matches = found.map((match, i) =>
    isBlocked(keyOf(mustBe(texts[i], 'text of the match'))) ? null : match,
  );
  const details = texts.map((each, i) => detailsOf(each, matches[i] ?? null));
  const conversations = await insertTexts(
    t.tx,
    t.companyId,
    carrier,
    texts.map((each, i) => ({
      conversationId: mustBe(context.conversationIds.get(keyOf(each)), 'conversation of the pair'),
      numberId: each.numberId,
      party: each.text.from,
      contactId: contacts.get(each.text.from)?.id ?? null,
      text: each.text.text,
      eventId: each.text.id,
      quiet: isBlocked(keyOf(each)),
      details: JSON.stringify(details[i]),
    })),
    t.now,
  );
  const items = newItemsOf(t, conversations, texts, details, isBlocked);
  if (!items.length) return routed.map(() => 'known'); // a concurrent request stored them
  const shown = await storeTextMatches(t, conversations, matches);
  await publishConversationsUpdated(
    t,
    'new_item',
    conversations,
    [...items, ...shown],
    senders.presentation,
  );
  await reactToTexts(t, {
    items,
    conversations,
    keywords,
    joins,
    hasTriggers: context.hasTriggers,
  });
  const stored = new Set(items.map((item) => item.eventId));
  return routed.map((each) => (stored.has(each.text.id) ? 'stored' : 'known'));
}

/** Who sent these texts. Blocked parties get no contact. `isBlocked` takes a `pairKey`. */
async function loadSenders(t: TxCtx, texts: readonly RoutedText[]) {
  const pairs = pairsOf(texts);
  const parties = [...new Set(pairs.map((pair) => pair.party))];
  const joins = await loadListJoins(t.tx, t.companyId, {
    numbers: pairs.map((pair) => pair.numberId),
    contacts: [],
    parties,
    targets: [...new Set(parties.flatMap(targetsMatching))],
  });
  const blocked = new Set(
    joins.rules.length
      ? pairs.filter((p) => matchesBlock(joins.rules, p.numberId, p.party)).map(pairKey)
      : [],
  );
  const allowed = pairs.filter((pair) => !blocked.has(pairKey(pair)));
  const contacts = await findOrCreateContacts(
    t,
    allowed.map((pair) => pair.party),
  );
  const contactsById = new Map([...contacts.values()].map((contact) => [contact.id, contact]));
  return {
    joins,
    contacts,
    isBlocked: (key: string) => blocked.has(key),
    // Contacts of blocked parties weren't looked up, so they are loaded when presented.
    presentation: blocked.size
      ? { numbers: joins.numbers }
      : { joins: { ...joins, contacts: contactsById } },
  };
}

type Match = Awaited<ReturnType<typeof matchesOfTexts>>[number];

const detailsOf = ({ text }: RoutedText, match: Match) => ({
  content: text.text,
  media: storedMediaOf(text),
  ...segmentsOf(text.text),
  errorCode: null,
  errorText: null,
  clientKey: null,
  automatic: null,
  sentAt: new Date(text.at).toISOString(),
  ...(match && matchedFacts(matchedSource(match))),
});
/** Files of one text that are fetched; more are ignored. */
const maxFiles = 20;
const storedMediaOf = (text: IncomingText): StoredMedia[] =>
  text.media
    .slice(0, maxFiles)
    .map((m) => ({ fileId: null, type: m.contentType, bytes: 0, name: m.name, from: m.url }));

/** The stored items in the order their texts arrived, whatever order their conversations have. */
function newItemsOf(
  t: TxCtx,
  conversations: readonly UpdatedConversation[],
  texts: readonly RoutedText[],
  details: readonly NewInboundItem['details'][],
  isBlocked: (key: string) => boolean,
): NewInboundItem[] {
  const placed = conversations.flatMap((c) => c.items.map(([n, id]) => ({ c, n, id })));
  return placed
    .sort((a, b) => a.n - b.n)
    .map(({ c, n, id }) => ({
      // insertTexts numbers them from 1.
      eventId: mustBe(texts[n - 1], 'the stored text').text.id,
      details: mustBe(details[n - 1], 'the details of the stored text'),
      id,
      conversation_id: c.id,
      number_id: c.number_id,
      kind: 'message',
      is_inbound: true,
      created_at: t.now,
      read_at: isBlocked(pairKey({ numberId: c.number_id, party: c.party })) ? t.now : null,
      actor_id: null,
      actor_name: null,
      delivery_state: 'received',
    }));
}
