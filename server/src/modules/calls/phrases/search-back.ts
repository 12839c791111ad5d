import { phrases as contract } from '#contract';
import { lookBackDays } from '#contract/calls/phrases/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { hitOf } from './spot-in-transcript.ts';
import { telltaleWords } from './spot.ts';
import { candidates, deleteHits, listsOf, replaceHits, transcriptsWithWords } from './store.ts';

const BATCH = 100;

/** When dry runs and saved lists begin to look. */
export const lookBackSince = (now: Date): Date =>
  new Date(now.getTime() - lookBackDays * 86_400_000);

/**
 * Looks for the phrases of a list in the transcripts of the last 30 days, a batch in each
 * transaction. A list that was changed meanwhile has a later job of its own.
 */
export async function searchBack(
  ctx: Ctx,
  { listId, version }: { listId: number; version: string },
): Promise<void> {
  const listNow = async (t: TxCtx) =>
    (await listsOf(t.tx, t.companyId)).find(
      ({ id, updated_at }) => id === listId && updated_at.toISOString() === version,
    );
  const ids = await ctx.transaction(async (t) => {
    const list = await listNow(t);
    if (!list) return [];
    const since = lookBackSince(t.now);
    // What calls before then say of the list as it was stays.
    await deleteHits(t.tx, t.companyId, listId, since);
    const found = await transcriptsWithWords(t.tx, t.companyId, {
      since,
      words: telltaleWords(list.phrases),
      numbers: null,
    });
    return found.ids;
  });
  for (let from = 0; from < ids.length; from += BATCH)
    await ctx.transaction(async (t) => {
      const list = await listNow(t);
      if (!list) return;
      const batch = await candidates(t.tx, t.companyId, ids.slice(from, from + BATCH), true);
      for (const transcript of batch) {
        const hit = hitOf(list, transcript);
        await replaceHits(t.tx, t.companyId, transcript.id, hit ? [hit] : [], list.id);
      }
    });
  await ctx.transaction((t) => t.publish(contract.phraseListsChanged, { companyId: t.companyId }));
}
