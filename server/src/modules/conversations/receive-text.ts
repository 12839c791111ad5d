import type { House, Said, TxCtx } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { IncomingText } from '../../ports/messaging.ts';
import { companyRow } from '../companies/index.ts';
import { hearKeyword, isBlocked, keywordOf } from '../compliance/index.ts';
import { wakeTriggers } from './answer-keyword.ts';
import { answersAfterHours, wakeAfterHours } from './team/answer-after-hours.ts';
import { addItem } from './add-item.ts';
import { directoryEntry } from '../numbers/index.ts';
import type { KeptMedia } from './present.ts';
import { queueText } from './queue-text.ts';
import { confirmation, segmentsOf } from './rules.ts';
import { sayUpdated } from './say-updated.ts';
import { storeTogether } from './receive-texts.ts';
import { cancelOnReply, itemByCarrier } from './store-items.ts';

/**
 * A text for one of our numbers. One carrier's id is stored once, however often it comes. STOP and START change the ledger
 * in the same transaction, and their one confirmation is queued in it.
 */
export async function receiveText(house: House, said: Said, carrier: string, text: IncomingText): Promise<'stored' | 'known' | 'not_ours'> {
  const ours = await directoryEntry(house.db.directory, text.to);
  if (!ours) return 'not_ours';
  // A reserved word changes the ledger and pictures need a job: those go alone, everything else goes together.
  if (!keywordOf(text.text) && !text.media.length) return storeTogether(house, said, ours.company_id, carrier, { numberId: ours.number_id, text });
  return systemCtx(house, ours.company_id, said, 'carrier-text').transaction((t) => storeText(t, ours.number_id, carrier, text));
}

export async function storeText(t: TxCtx, numberId: number, carrier: string, text: IncomingText): Promise<'stored' | 'known'> {
  if (await itemByCarrier(t.tx, t.companyId, carrier, text.id)) return 'known';
  const quiet = await isBlocked(t.tx, t.companyId, numberId, text.from);
  const heard = await hearKeyword(t, { from: text.from, numberId, text: text.text });
  const media: KeptMedia[] = text.media.slice(0, 20).map((m) => ({ fileId: null, type: m.contentType, bytes: 0, name: m.name, from: m.url }));
  const added = await addItem(t, {
    numberId, party: text.from, kind: 'message', isInbound: true, at: t.now, unread: true, quiet, text: text.text, deliveryState: 'received', carrier, providerEventId: text.id,
    details: { content: text.text, media, ...segmentsOf(text.text), errorCode: null, errorText: null, clientKey: null, automatic: null, sentAt: new Date(text.at).toISOString() },
  });
  if (!added) return 'known';
  if (media.length) await t.enqueue('conversations.fetchMedia', { itemId: added.item.id });
  for (const plan of await cancelOnReply(t.tx, t.companyId, added.conversation.id)) await sayUpdated(t, 'item_updated', added.conversation, plan);
  if (!heard && !quiet) {
    const waiting = [{ numberId, party: text.from, text: text.text, conversationId: added.conversation.id, itemId: added.item.id }];
    await wakeTriggers(t, waiting);
    await wakeAfterHours(t, waiting, await answersAfterHours(t, [numberId]));
  }
  if (heard?.reply && !quiet) {
    const company = await companyRow(t.tx, t.companyId);
    await queueText(t, { numberId, party: text.from, content: confirmation(heard.word, { name: company?.name ?? '', phone: company?.phone ?? null, email: company?.email ?? null }), media: [], automatic: heard.word });
  }
  return 'stored';
}
