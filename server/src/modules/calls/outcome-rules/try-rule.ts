import type { Answer, Body, outcomeRules as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { LISTED, highlightOf, presentFoundCalls } from '../phrases/try-list.ts';
import { lookBackSince } from '../phrases/search-back.ts';
import { segmentsOfHits } from '../phrases/store-found.ts';
import { listsOf } from '../phrases/store.ts';
import { requireList } from './manage-rules.ts';
import { changesOf } from './rules.ts';
import { callsOfRule } from './store.ts';

/** Calls that are looked at. */
const MOST_CALLS = 20_000;

/**
 * The calls of the last 30 days that a rule would change, alone. Stores nothing. Fails at the field for
 * an unknown list.
 */
export async function tryOutcomeRule(
  ctx: TxCtx,
  { sets, ...conditions }: Body<typeof contract.tryOutcomeRule>,
): Promise<Answer<typeof contract.tryOutcomeRule>> {
  const { tx, companyId } = ctx;
  const { phrase_list_id: listId } = conditions;
  requireList(listId, await listsOf(tx, companyId));
  const since = lookBackSince(ctx.now);
  const looked = await callsOfRule(tx, companyId, conditions, {
    since,
    numbers: ctx.numbers,
    most: MOST_CALLS,
  });
  const changed = looked.flatMap((call) => {
    const changes = Object.keys(changesOf(sets, call));
    return changes.length > 0 ? [{ id: call.id, changes }] : [];
  });
  const listed = changed.slice(0, LISTED);
  const ids = listed.map(({ id }) => id);
  const hits = listId === null ? [] : await segmentsOfHits(tx, companyId, listId, ids);
  const calls = await presentFoundCalls(ctx, ids, (id) =>
    hits
      .filter((hit) => hit.call_id === id)
      .flatMap((hit) => hit.spoken.map((passage) => highlightOf(hit, passage))),
  );
  return {
    data: {
      since: since.toISOString(),
      total: changed.length,
      is_partial: looked.length >= MOST_CALLS,
      calls: calls.map((one) => ({
        ...one,
        changes: listed.find(({ id }) => id === one.call.id)?.changes ?? [],
      })),
    },
  };
}
