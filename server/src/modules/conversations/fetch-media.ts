import type { Ctx } from '../../platform/context.ts';
import { keepMedia } from './keep-media.ts';
import { kindOfBytes } from './kind-of-bytes.ts';
import type { KeptMedia } from './present.ts';
import { sayUpdated } from './say-updated.ts';
import { conversationById, refreshLatest } from './store.ts';
import { changeItem, itemById } from './store-items.ts';

const mostBytes = 20_000_000;

/** Copy the pictures of an incoming text to our own files: carriers forget them. What is no picture, sound or document is left out. */
export async function fetchMedia(ctx: Ctx, job: { itemId: number }): Promise<void> {
  const item = await ctx.transaction((t) => itemById(t.tx, t.companyId, job.itemId));
  const media = ((item?.details as { media?: KeptMedia[] } | undefined)?.media ??
    []) as KeptMedia[];
  if (!item || !media.some((m) => m.from)) return;
  const fetched = new Map<string, { bytes: Buffer; type: string }>();
  for (const m of media) {
    const got = m.from
      ? await ctx.ports.carriers
          .messaging(item.carrier ?? ctx.ports.messaging.name)
          .fetchMedia(m.from)
      : null;
    const type = got && got.bytes.length <= mostBytes ? kindOfBytes(got.bytes) : null;
    if (got && type && m.from) fetched.set(m.from, { bytes: got.bytes, type });
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
    const kept: KeptMedia[] = [];
    for (const m of (row.details as { media: KeptMedia[] }).media) {
      const got = m.from ? fetched.get(m.from) : undefined;
      if (got)
        kept.push(
          ...(await keepMedia(t, [{ name: m.name, contentType: got.type, bytes: got.bytes }])),
        );
      else if (!m.from) kept.push(m);
    }
    const changed = await changeItem(t.tx, t.companyId, row.id, {
      details: JSON.stringify({ ...(row.details as object), media: kept }),
    });
    await sayUpdated(t, 'item_updated', await refreshLatest(t.tx, changed), changed);
  });
}
