import type { House, Said, TxCtx } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { IncomingText } from '../../ports/messaging.ts';
import { companyRow } from '../companies/index.ts';
import { hearKeyword, isKeptOut, keywordOf, targetsMatching } from '../compliance/index.ts';
import { findOrMakeContacts } from '../contacts/index.ts';
import { directoryEntries, numbersTexted } from '../numbers/index.ts';
import { wakeTriggers } from './answer-keyword.ts';
import { inTurn, queueOf, storeOrEach, type Queues } from './in-turn.ts';
import type { KeptMedia, ShownItem } from './present.ts';
import { queueText } from './queue-text.ts';
import { onAmong, wakeAfterHours } from './team/answer-after-hours.ts';
import { confirmation, segmentsOf } from './rules.ts';
import { sayAllUpdated, sayUpdated } from './say-updated.ts';
import { aroundConversations } from './store-around.ts';
import { before, insertTexts, pairKey, type Heard } from './store-inbound.ts';
import { cancelOnReply } from './store-items.ts';

export type Received = 'stored' | 'known' | 'not_ours';
export interface Arrived {
  numberId: number;
  text: IncomingText;
}
const arriving: Queues<IncomingText, Received> = new WeakMap();
const storing: Queues<Arrived, Received> = new WeakMap();

/**
 * A text for one of our numbers, stored together with those that arrived while the last ones were being committed: one transaction
 * for all of a company, acknowledged after its commit. One carrier's id is stored once, however often it comes.
 */
export const receiveText = (
  house: House,
  said: Said,
  carrier: string,
  text: IncomingText,
): Promise<Received> =>
  inTurn(queueOf(arriving, house, carrier), text, async (batch) => {
    const ours = await directoryEntries(
      house.db.directory,
      batch.map((w) => w.what.to),
    );
    for (const w of batch) {
      const entry = ours.get(w.what.to);
      if (!entry) {
        w.done('not_ours');
        continue;
      }
      void inTurn(
        queueOf(storing, house, `${carrier}:${entry.company_id}`),
        { numberId: entry.number_id, text: w.what },
        (more) =>
          storeOrEach(more, (some) =>
            systemCtx(house, entry.company_id, said, 'carrier-text').transaction((t) =>
              storeTexts(t, carrier, some),
            ),
          ),
      ).then(w.done, w.failed);
    }
  });

/**
 * Store texts that came in. All statements are about all texts: their number does not grow with the batch, but for reserved words.
 * STOP and START change the ledger in the same transaction, and their one confirmation is queued in it.
 */
export async function storeTexts(
  t: TxCtx,
  carrier: string,
  arrived: readonly Arrived[],
): Promise<Received[]> {
  const pair = (a: Arrived) => pairKey({ numberId: a.numberId, party: a.text.from });
  const pairsOf = (some: readonly Arrived[]) => [
    ...new Map(some.map((a) => [pair(a), { numberId: a.numberId, party: a.text.from }])).values(),
  ];
  const { known, ids, rules } = await before(
    t.tx,
    t.companyId,
    carrier,
    arrived.map((a) => a.text.id),
    pairsOf(arrived),
  );
  const fresh = [
    ...new Map(arrived.filter((a) => !known.has(a.text.id)).map((a) => [a.text.id, a])).values(),
  ];
  if (!fresh.length) return arrived.map(() => 'known');
  const pairs = pairsOf(fresh);
  const words = await hearKeywords(t, fresh);
  const parties = [...new Set(pairs.map((p) => p.party))];
  const around = await aroundConversations(t.tx, t.companyId, {
    numbers: pairs.map((p) => p.numberId),
    contacts: [],
    parties,
    targets: [...new Set(parties.flatMap(targetsMatching))],
  });
  const quiet = new Set(
    around.rules.length
      ? pairs.filter((p) => isKeptOut(around.rules, p.numberId, p.party)).map(pairKey)
      : [],
  );
  const contacts = await findOrMakeContacts(
    t,
    pairs.filter((p) => !quiet.has(pairKey(p))).map((p) => p.party),
  );
  const texts = fresh.map((a) => ({
    of: a,
    details: {
      content: a.text.text,
      media: mediaOf(a.text),
      ...segmentsOf(a.text.text),
      errorCode: null,
      errorText: null,
      clientKey: null,
      automatic: null,
      sentAt: new Date(a.text.at).toISOString(),
    },
  }));
  const heard = await insertTexts(
    t.tx,
    t.companyId,
    carrier,
    texts.map(({ of, details }) => ({
      conversationId: ids.get(pair(of))!,
      numberId: of.numberId,
      party: of.text.from,
      contactId: contacts.get(of.text.from)?.id ?? null,
      text: of.text.text,
      eventId: of.text.id,
      quiet: quiet.has(pair(of)),
      details: JSON.stringify(details),
    })),
    t.now,
  );
  const items = heard.flatMap((c) =>
    c.items.map(([n, id]) =>
      itemOf(
        t,
        c,
        n,
        id,
        texts[n - 1]!,
        quiet.has(pairKey({ numberId: c.number_id, party: c.party })),
      ),
    ),
  );
  if (!items.length) return arrived.map(() => 'known'); // somebody else stored them meanwhile
  // In the order in which they came, whatever their conversations' order is.
  items.sort((a, b) => a.n - b.n);
  const conversations = new Map(heard.map((c) => [c.id, c]));
  // Of who is kept out, contacts were not looked up.
  await sayAllUpdated(
    t,
    'new_item',
    heard,
    items,
    quiet.size
      ? { numbers: around.numbers }
      : { around: { ...around, contacts: new Map([...contacts.values()].map((c) => [c.id, c])) } },
  );
  for (const item of items)
    if (item.details.media.length) await t.enqueue('conversations.fetchMedia', { itemId: item.id });
  for (const c of heard)
    if (c.cancels)
      for (const plan of await cancelOnReply(t.tx, t.companyId, c.id))
        await sayUpdated(t, 'item_updated', c, plan);
  const waiting = items
    .filter((i) => !i.read_at && !words.has(i.eventId))
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
  if (rules) await wakeTriggers(t, waiting);
  await wakeAfterHours(t, waiting, onAmong(around.numbers));
  // The numbers' own rows last: everybody who texts them waits for them.
  const traffic = countByNumber(items);
  if (traffic.length) await numbersTexted(t, traffic, t.now);
  await confirm(
    t,
    items
      .filter((i) => !i.read_at && words.get(i.eventId)?.reply)
      .map((i) => ({
        word: words.get(i.eventId)!.word,
        of: conversations.get(i.conversation_id)!,
      })),
  );
  const stored = new Set(items.map((i) => i.eventId));
  return arrived.map((a) => (stored.has(a.text.id) ? 'stored' : 'known'));
}

interface NewItem extends ShownItem {
  /** Its place in the order in which the texts came. */ n: number;
  eventId: string;
  details: { content: string; media: KeptMedia[] };
}
const itemOf = (
  t: TxCtx,
  c: Heard,
  n: number,
  id: number,
  { of, details }: { of: Arrived; details: NewItem['details'] },
  quiet: boolean,
): NewItem => ({
  n,
  eventId: of.text.id,
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

const mediaOf = (text: IncomingText): KeptMedia[] =>
  text.media
    .slice(0, 20)
    .map((m) => ({ fileId: null, type: m.contentType, bytes: 0, name: m.name, from: m.url }));

/** What reserved words did to the ledger, by the carrier's id of the text. In the order of the parties, so that two batches never wait in a circle. */
async function hearKeywords(t: TxCtx, arrived: readonly Arrived[]) {
  const words = new Map<string, NonNullable<Awaited<ReturnType<typeof hearKeyword>>>>();
  const said = arrived
    .filter((a) => a.text.answered ?? keywordOf(a.text.text))
    .sort((a, b) => (a.text.from < b.text.from ? -1 : Number(a.text.from > b.text.from)));
  for (const { numberId, text } of said) {
    const word = await hearKeyword(t, {
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
async function confirm(
  t: TxCtx,
  asked: readonly {
    word: Parameters<typeof confirmation>[0];
    of: { number_id: number; party: string };
  }[],
): Promise<void> {
  if (!asked.length) return;
  const company = await companyRow(t.tx, t.companyId);
  const about = {
    name: company?.name ?? '',
    phone: company?.phone ?? null,
    email: company?.email ?? null,
  };
  for (const { word, of } of asked)
    await queueText(t, {
      numberId: of.number_id,
      party: of.party,
      content: confirmation(word, about),
      media: [],
      automatic: word,
    });
}

/** How many texts each number got. Those of blocked parties came read, and count for nobody. */
function countByNumber(items: readonly NewItem[]) {
  const counts = new Map<number, number>();
  for (const item of items)
    if (!item.read_at) counts.set(item.number_id, (counts.get(item.number_id) ?? 0) + 1);
  return [...counts].map(([numberId, n]) => ({ numberId, unread: n, texts: n }));
}
