import type { Ctx } from '../../platform/context.ts';
import { storeMedia } from './media.ts';
import { detectMediaType } from './detect-media-type.ts';
import type { StoredMedia } from './item-details.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import { conversationById, refreshLatest } from './store.ts';
import { updateItem, itemById } from './store-items.ts';

const maxBytes = 20_000_000;

/**
 * Copies the media of an inbound text to our own files, because carriers delete them. Skips what is
 * not an image, audio or a document.
 */
export async function fetchMedia(ctx: Ctx, job: { itemId: number }): Promise<void> {
  const item = await ctx.transaction((t) => itemById(t.tx, t.companyId, job.itemId));
  const media = ((item?.details as { media?: StoredMedia[] } | undefined)?.media ??
    []) as StoredMedia[];
  if (!item || !media.some((m) => m.from)) return;
  const fetched = new Map<string, { bytes: Buffer; type: string }>();
  for (const m of media) {
    const downloaded = m.from
      ? await ctx.gateways.carriers
          .messaging(item.carrier ?? ctx.gateways.messaging.name)
          .fetchMedia(m.from)
      : null;
    const type =
      downloaded && downloaded.bytes.length <= maxBytes ? detectMediaType(downloaded.bytes) : null;
    if (downloaded && type && m.from) fetched.set(m.from, { bytes: downloaded.bytes, type });
  }
  await ctx.transaction(async (t) => {
    const conversation = await conversationById(
      t.tx,
      t.companyId,
      item.conversation_id,
      null,
      true,
    );
    const row = await itemById(t.tx, t.companyId, item.id, true);
    if (!row || !conversation) return;
    const stored: StoredMedia[] = [];
    for (const m of (row.details as { media: StoredMedia[] }).media) {
      const got = m.from ? fetched.get(m.from) : undefined;
      if (got)
        stored.push(
          ...(await storeMedia(t, [{ name: m.name, contentType: got.type, bytes: got.bytes }])),
        );
      else if (!m.from) stored.push(m);
    }
    const changed = await updateItem(t.tx, t.companyId, row.id, {
      details: JSON.stringify({ ...(row.details as object), media: stored }),
    });
    await publishConversationUpdated(
      t,
      'item_updated',
      await refreshLatest(t.tx, changed),
      changed,
    );
  });
}
