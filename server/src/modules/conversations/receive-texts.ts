import type { House, Said, TxCtx } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { IncomingText } from '../../ports/messaging.ts';
import { blockedAmong } from '../compliance/index.ts';
import { findOrMakeContacts } from '../contacts/index.ts';
import { numberTexted } from '../numbers/index.ts';
import { wakeTriggers } from './answer-keyword.ts';
import { onAmong, wakeAfterHours } from './team/answer-after-hours.ts';
import { segmentsOf } from './rules.ts';
import { sayAllUpdated, sayUpdated } from './say-updated.ts';
import { numbersById, summaryOf, type ItemRow } from './store.ts';
import { bumpConversations, insertTexts, knownEvents, openConversations, withCancelOnReply, type Heard } from './store-inbound.ts';
import { cancelOnReply } from './store-items.ts';

export type Received = 'stored' | 'known';
export interface Arrived { numberId: number; text: IncomingText }
interface Waiting extends Arrived { done: (what: Received) => void; failed: (why: unknown) => void }

/** How many texts share a transaction at most. */
const together = 200;
/** How many such transactions run side by side for one company: while one waits for the disk, the next is prepared. */
const side = 3;
const queues = new WeakMap<House, Map<string, { waiting: Waiting[]; running: number }>>();

/**
 * Store an ordinary text (no reserved word, no pictures) together with those of the same company that arrived while the last
 * ones were being committed: one transaction for all, acknowledged after its commit. Should it fail, each is tried alone,
 * so that one bad text costs nobody else theirs.
 */
export function storeTogether(house: House, said: Said, companyId: number, carrier: string, arrived: Arrived): Promise<Received> {
  const byCompany = queues.get(house) ?? new Map<string, { waiting: Waiting[]; running: number }>();
  queues.set(house, byCompany);
  const key = `${carrier}:${companyId}`;
  const queue = byCompany.get(key) ?? { waiting: [], running: 0 };
  byCompany.set(key, queue);
  const promise = new Promise<Received>((done, failed) => queue.waiting.push({ ...arrived, done, failed }));
  if (queue.running < side) {
    queue.running++;
    void (async () => {
      // The texts of one burst reach us in one turn of the loop: let them gather.
      await new Promise(setImmediate);
      while (queue.waiting.length) await commit(house, said, companyId, carrier, queue.waiting.splice(0, together));
      if (--queue.running === 0) byCompany.delete(key);
    })();
  }
  return promise;
}

async function commit(house: House, said: Said, companyId: number, carrier: string, batch: Waiting[]): Promise<void> {
  try {
    const results = await systemCtx(house, companyId, said, 'carrier-text').transaction((t) => storeTexts(t, carrier, batch));
    batch.forEach((w, i) => w.done(results[i]!));
  } catch (error) {
    if (batch.length === 1) { batch[0]!.failed(error); return; }
    for (const one of batch) await commit(house, said, companyId, carrier, [one]);
  }
}

/** All statements are about all texts: their number does not grow with the batch. */
export async function storeTexts(t: TxCtx, carrier: string, arrived: readonly Arrived[]): Promise<Received[]> {
  const known = await knownEvents(t.tx, t.companyId, carrier, arrived.map((a) => a.text.id));
  const fresh = [...new Map(arrived.filter((a) => !known.has(a.text.id)).map((a) => [a.text.id, a])).values()];
  if (!fresh.length) return arrived.map(() => 'known');
  const pair = (a: Arrived) => `${a.numberId}:${a.text.from}`;
  const pairs = [...new Map(fresh.map((a) => [pair(a), { numberId: a.numberId, party: a.text.from }])).values()];
  const quiet = await blockedAmong(t.tx, t.companyId, pairs);
  const contacts = await findOrMakeContacts(t, pairs.filter((p) => !quiet.has(`${p.numberId}:${p.party}`)).map((p) => p.party));
  const open = await openConversations(t.tx, t.companyId, pairs.map((p) => ({ ...p, contactId: contacts.get(p.party)?.id ?? null, archived: quiet.has(`${p.numberId}:${p.party}`) })), t.now);
  const conversationOf = new Map(open.map((c) => [`${c.number_id}:${c.party}`, c]));
  const items = await insertTexts(t.tx, t.companyId, carrier, fresh.map((a) => ({
    conversationId: conversationOf.get(pair(a))!.id, numberId: a.numberId, text: a.text.text, eventId: a.text.id, unread: !quiet.has(pair(a)),
    details: JSON.stringify({ content: a.text.text, media: [], ...segmentsOf(a.text.text), errorCode: null, errorText: null, clientKey: null, automatic: null, sentAt: new Date(a.text.at).toISOString() }),
  })), t.now);
  const heard = new Map<number, Heard>();
  for (const item of items) heard.set(item.conversation_id, { conversationId: item.conversation_id, itemId: item.id, details: JSON.stringify(summaryOf(item)), more: (heard.get(item.conversation_id)?.more ?? 0) + (item.read_at ? 0 : 1), quiet: item.read_at !== null });
  const conversations = await bumpConversations(t.tx, t.companyId, [...heard.values()], t.now);
  const numbers = await numbersById(t.tx, t.companyId, pairs.map((p) => p.numberId));
  await sayAllUpdated(t, 'new_item', conversations, items, { numbers, blocked: quiet, ...(quiet.size ? {} : { contacts: new Map([...contacts.values()].map((c) => [c.id, c])) }) });
  for (const id of await withCancelOnReply(t.tx, t.companyId, [...heard.keys()]))
    for (const plan of await cancelOnReply(t.tx, t.companyId, id)) await sayUpdated(t, 'item_updated', conversations.find((c) => c.id === id)!, plan);
  const waiting = items.filter((i) => !i.read_at).map((i) => { const c = conversations.find((one) => one.id === i.conversation_id)!; return { numberId: c.number_id, party: c.party, text: (i.details as { content: string }).content, conversationId: c.id, itemId: i.id }; });
  await wakeTriggers(t, waiting);
  await wakeAfterHours(t, waiting, onAmong(numbers));
  // The number's own row last: everybody who texts the number waits for it.
  for (const [numberId, more] of [...unreadByNumber(items)].sort((a, b) => a[0] - b[0])) await numberTexted(t, numberId, t.now, more, items.filter((i) => i.number_id === numberId).length);
  const stored = new Set(items.map((i) => i.provider_event_id));
  return arrived.map((a) => (stored.has(a.text.id) ? 'stored' : 'known'));
}

function unreadByNumber(items: readonly ItemRow[]): Map<number, number> {
  const more = new Map<number, number>();
  for (const item of items) if (!item.read_at) more.set(item.number_id, (more.get(item.number_id) ?? 0) + 1);
  return more;
}
