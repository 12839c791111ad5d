import type { House, Said, TxCtx } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { IncomingText } from '../../ports/messaging.ts';
import { companyRow } from '../companies/index.ts';
import { blockedAmong, hearKeyword, keywordOf } from '../compliance/index.ts';
import { findOrMakeContacts } from '../contacts/index.ts';
import { directoryEntries, numberTexted } from '../numbers/index.ts';
import { wakeTriggers } from './answer-keyword.ts';
import type { KeptMedia } from './present.ts';
import { queueText } from './queue-text.ts';
import { onAmong, wakeAfterHours } from './team/answer-after-hours.ts';
import { confirmation, segmentsOf } from './rules.ts';
import { sayAllUpdated, sayUpdated } from './say-updated.ts';
import { numbersById, summaryOf, type ItemRow } from './store.ts';
import { bumpConversations, insertTexts, knownEvents, openConversations, withCancelOnReply, type Heard } from './store-inbound.ts';
import { cancelOnReply } from './store-items.ts';

export type Received = 'stored' | 'known' | 'not_ours';
export interface Arrived { numberId: number; text: IncomingText }
interface Waiting<T> { what: T; done: (result: Received) => void; failed: (why: unknown) => void }
interface Queue<T> { waiting: Waiting<T>[]; running: number }

/** How many texts share a transaction at most. */
const together = 200;
/**
 * How many such transactions run side by side for one company: while one waits for the disk, the next is prepared. More would only
 * wait for each other at the number's row, and share fewer texts each.
 */
const side = 2;
const arriving = new WeakMap<House, Map<string, Queue<IncomingText>>>();
const storing = new WeakMap<House, Map<string, Queue<Arrived>>>();

/**
 * A text for one of our numbers, stored together with those that arrived while the last ones were being committed: one transaction
 * for all of a company, acknowledged after its commit. One carrier's id is stored once, however often it comes.
 */
export const receiveText = (house: House, said: Said, carrier: string, text: IncomingText): Promise<Received> =>
  inTurn(queueOf(arriving, house, carrier), text, side, async (batch) => {
    const ours = await directoryEntries(house.db.directory, batch.map((w) => w.what.to));
    for (const w of batch) {
      const entry = ours.get(w.what.to);
      if (!entry) { w.done('not_ours'); continue; }
      void inTurn(queueOf(storing, house, `${carrier}:${entry.company_id}`), { numberId: entry.number_id, text: w.what }, side, (more) => commit(house, said, entry.company_id, carrier, more)).then(w.done, w.failed);
    }
  });

function queueOf<T>(all: WeakMap<House, Map<string, Queue<T>>>, house: House, key: string): Queue<T> {
  const queues = all.get(house) ?? new Map<string, Queue<T>>();
  all.set(house, queues);
  const queue = queues.get(key) ?? { waiting: [], running: 0 };
  queues.set(key, queue);
  return queue;
}

/** Wait for a turn of the queue: whatever waits by then is taken together. */
function inTurn<T>(queue: Queue<T>, what: T, most: number, take: (batch: Waiting<T>[]) => Promise<void>): Promise<Received> {
  const promise = new Promise<Received>((done, failed) => queue.waiting.push({ what, done, failed }));
  if (queue.running < most) {
    queue.running++;
    void (async () => {
      // The texts of one burst reach us in one turn of the loop: let them gather.
      await new Promise(setImmediate);
      while (queue.waiting.length) {
        const batch = queue.waiting.splice(0, together);
        await take(batch).catch((error: unknown) => { for (const w of batch) w.failed(error); });
      }
      queue.running--;
    })();
  }
  return promise;
}

/** Should it fail, each is tried alone, so that one bad text costs nobody else theirs. */
async function commit(house: House, said: Said, companyId: number, carrier: string, batch: Waiting<Arrived>[]): Promise<void> {
  try {
    const results = await systemCtx(house, companyId, said, 'carrier-text').transaction((t) => storeTexts(t, carrier, batch.map((w) => w.what)));
    batch.forEach((w, i) => w.done(results[i]!));
  } catch (error) {
    if (batch.length === 1) { batch[0]!.failed(error); return; }
    for (const one of batch) await commit(house, said, companyId, carrier, [one]);
  }
}

/**
 * Store texts that came in. All statements are about all texts: their number does not grow with the batch, but for reserved words.
 * STOP and START change the ledger in the same transaction, and their one confirmation is queued in it.
 */
export async function storeTexts(t: TxCtx, carrier: string, arrived: readonly Arrived[]): Promise<Received[]> {
  const known = await knownEvents(t.tx, t.companyId, carrier, arrived.map((a) => a.text.id));
  const fresh = [...new Map(arrived.filter((a) => !known.has(a.text.id)).map((a) => [a.text.id, a])).values()];
  if (!fresh.length) return arrived.map(() => 'known');
  const pair = (a: Arrived) => `${a.numberId}:${a.text.from}`;
  const pairs = [...new Map(fresh.map((a) => [pair(a), { numberId: a.numberId, party: a.text.from }])).values()];
  const words = await hearKeywords(t, fresh);
  const quiet = await blockedAmong(t.tx, t.companyId, pairs);
  const contacts = await findOrMakeContacts(t, pairs.filter((p) => !quiet.has(`${p.numberId}:${p.party}`)).map((p) => p.party));
  const open = await openConversations(t.tx, t.companyId, pairs.map((p) => ({ ...p, contactId: contacts.get(p.party)?.id ?? null, archived: quiet.has(`${p.numberId}:${p.party}`) })), t.now);
  const conversationOf = new Map(open.map((c) => [`${c.number_id}:${c.party}`, c]));
  const items = await insertTexts(t.tx, t.companyId, carrier, fresh.map((a) => ({
    conversationId: conversationOf.get(pair(a))!.id, numberId: a.numberId, text: a.text.text, eventId: a.text.id, unread: !quiet.has(pair(a)),
    details: JSON.stringify({ content: a.text.text, media: mediaOf(a.text), ...segmentsOf(a.text.text), errorCode: null, errorText: null, clientKey: null, automatic: null, sentAt: new Date(a.text.at).toISOString() }),
  })), t.now);
  if (!items.length) return arrived.map(() => 'known'); // somebody else stored them meanwhile
  const heard = new Map<number, Heard>();
  for (const item of items) heard.set(item.conversation_id, { conversationId: item.conversation_id, itemId: item.id, details: JSON.stringify(summaryOf(item)), more: (heard.get(item.conversation_id)?.more ?? 0) + (item.read_at ? 0 : 1), quiet: item.read_at !== null });
  const conversations = new Map((await bumpConversations(t.tx, t.companyId, [...heard.values()], t.now)).map((c) => [c.id, c]));
  const numbers = await numbersById(t.tx, t.companyId, pairs.map((p) => p.numberId));
  await sayAllUpdated(t, 'new_item', [...conversations.values()], items, { numbers, blocked: quiet, ...(quiet.size ? {} : { contacts: new Map([...contacts.values()].map((c) => [c.id, c])) }) });
  const detailsOf = (item: ItemRow) => item.details as { content: string; media: KeptMedia[] };
  for (const item of items) if (detailsOf(item).media.length) await t.enqueue('conversations.fetchMedia', { itemId: item.id });
  for (const id of await withCancelOnReply(t.tx, t.companyId, [...heard.keys()]))
    for (const plan of await cancelOnReply(t.tx, t.companyId, id)) await sayUpdated(t, 'item_updated', conversations.get(id)!, plan);
  const waiting = items.filter((i) => !i.read_at && !words.has(i.provider_event_id!))
    .map((i) => { const c = conversations.get(i.conversation_id)!; return { numberId: c.number_id, party: c.party, text: detailsOf(i).content, conversationId: c.id, itemId: i.id }; });
  await wakeTriggers(t, waiting);
  await wakeAfterHours(t, waiting, onAmong(numbers));
  // The number's own row last: everybody who texts the number waits for it.
  for (const [numberId, n] of [...countByNumber(items)].sort((a, b) => a[0] - b[0])) await numberTexted(t, numberId, t.now, n, n);
  await confirm(t, items.filter((i) => !i.read_at && words.get(i.provider_event_id!)?.reply).map((i) => ({ word: words.get(i.provider_event_id!)!.word, of: conversations.get(i.conversation_id)! })));
  const stored = new Set(items.map((i) => i.provider_event_id));
  return arrived.map((a) => (stored.has(a.text.id) ? 'stored' : 'known'));
}

const mediaOf = (text: IncomingText): KeptMedia[] => text.media.slice(0, 20).map((m) => ({ fileId: null, type: m.contentType, bytes: 0, name: m.name, from: m.url }));

/** What reserved words did to the ledger, by the carrier's id of the text. In the order of the parties, so that two batches never wait in a circle. */
async function hearKeywords(t: TxCtx, arrived: readonly Arrived[]) {
  const words = new Map<string, NonNullable<Awaited<ReturnType<typeof hearKeyword>>>>();
  const said = arrived.filter((a) => a.text.answered ?? keywordOf(a.text.text)).sort((a, b) => (a.text.from < b.text.from ? -1 : Number(a.text.from > b.text.from)));
  for (const { numberId, text } of said) {
    const word = await hearKeyword(t, { from: text.from, numberId, text: text.text, answered: text.answered });
    if (word) words.set(text.id, word);
  }
  return words;
}

/** The one answer that each of these reserved words gets. */
async function confirm(t: TxCtx, asked: readonly { word: Parameters<typeof confirmation>[0]; of: { number_id: number; party: string } }[]): Promise<void> {
  if (!asked.length) return;
  const company = await companyRow(t.tx, t.companyId);
  const about = { name: company?.name ?? '', phone: company?.phone ?? null, email: company?.email ?? null };
  for (const { word, of } of asked) await queueText(t, { numberId: of.number_id, party: of.party, content: confirmation(word, about), media: [], automatic: word });
}

/** How many texts each number got. Those of blocked parties came read, and count for nobody. */
function countByNumber(items: readonly ItemRow[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const item of items) if (!item.read_at) counts.set(item.number_id, (counts.get(item.number_id) ?? 0) + 1);
  return counts;
}
