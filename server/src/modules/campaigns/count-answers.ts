import type { EventData } from '#contract';
import type { contactOptedOut } from '#contract/compliance';
import type { conversationUpdated } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { keywordOf } from '../compliance/index.ts';
import { newestLine, noteLeft, noteReply } from './store-ledger.ts';

/** Somebody wrote: an answer to the newest campaign that reached them within 72 hours from that number (A12.4). STOP is not an answer. */
export async function countReply(
  t: TxCtx,
  u: EventData<typeof conversationUpdated>,
): Promise<void> {
  const item = u.item;
  if (!item || item.kind !== 'message' || keywordOf(item.details.content) === 'stop') return;
  const at = new Date(item.createdAt);
  const line = await newestLine(
    t.tx,
    t.companyId,
    u.conversation.recipient,
    at,
    u.conversation.number.id,
  );
  if (!line) return;
  await noteReply(t.tx, t.companyId, line.id, item.details.content || '(picture)', at);
}

/** Somebody opted out, within 72 hours of a campaign: it counts as that campaign's. */
export async function countLeft(t: TxCtx, o: EventData<typeof contactOptedOut>): Promise<void> {
  const at = new Date(o.at);
  const line = await newestLine(t.tx, t.companyId, o.number, at, null);
  if (!line) return;
  await noteLeft(t.tx, t.companyId, line.id, at);
}
