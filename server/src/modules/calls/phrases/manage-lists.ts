import { phrases as contract, type Answer, type Body } from '#contract';
import { phraseLimits } from '#contract/calls/phrases/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { removePhraseListJob, searchBackJob } from '../job-kinds.ts';
import { ruleUsingList } from '../outcome-rules/store.ts';
import { lookBackSince } from './search-back.ts';
import {
  countCalls,
  hideList,
  insertList,
  listsOf,
  lockLists,
  patchList,
  type PhraseListRow,
} from './store.ts';

type List = Answer<typeof contract.createPhraseList>['data'];
type Wanted = Body<typeof contract.createPhraseList>;

const presentList = (row: PhraseListRow, calls: number): List => ({
  id: row.id,
  name: row.name,
  phrases: row.phrases,
  said_by: row.said_by,
  at_least: row.at_least,
  alert: row.alert,
  calls,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The company's phrase lists by name, with how many calls of the last 30 days have them. */
export async function listPhraseLists(
  ctx: TxCtx,
): Promise<Answer<typeof contract.listPhraseLists>> {
  const { tx, companyId } = ctx;
  const calls = await countCalls(tx, companyId, lookBackSince(ctx.now), ctx.numbers);
  return {
    data: (await listsOf(tx, companyId)).map((row) => presentList(row, calls.get(row.id) ?? 0)),
  };
}

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
/** Phrases without those that are there twice. */
const withoutDoubles = (phrases: readonly string[]): string[] =>
  phrases.filter((phrase, i) => phrases.findIndex((one) => isSameName(one, phrase)) === i);

/** Adds a list. Fails with `phrase_list.exists` and `phrase_list.too_many`. */
export async function createPhraseList(
  ctx: TxCtx,
  body: Wanted,
): Promise<Answer<typeof contract.createPhraseList>> {
  const { tx, companyId, now } = ctx;
  await lockLists(tx, companyId);
  const lists = await listsOf(tx, companyId);
  if (lists.length >= phraseLimits.lists)
    fail('phrase_list.too_many', { most: phraseLimits.lists });
  if (lists.some(({ name }) => isSameName(name, body.name))) fail('phrase_list.exists');
  const row = await insertList(tx, {
    company_id: companyId,
    ...body,
    phrases: withoutDoubles(body.phrases),
    created_by: ctx.actor.userId || null,
    created_at: now,
    updated_at: now,
  });
  await audit(ctx, 'phrase_list.created', `phrase_list:${row.id}`, { after: factsOf(row) });
  return saved(ctx, row);
}

/** Changes a list. Fails with `not_found` and `phrase_list.exists`. */
export async function updatePhraseList(
  ctx: TxCtx,
  id: number,
  body: Wanted,
): Promise<Answer<typeof contract.updatePhraseList>> {
  const { tx, companyId } = ctx;
  await lockLists(tx, companyId);
  const lists = await listsOf(tx, companyId);
  const before = lists.find((one) => one.id === id) ?? notFound();
  if (lists.some((one) => one.id !== id && isSameName(one.name, body.name)))
    fail('phrase_list.exists');
  const phrases = withoutDoubles(body.phrases);
  const row =
    (await patchList(tx, companyId, id, { ...body, phrases, updated_at: ctx.now })) ?? notFound();
  await audit(ctx, 'phrase_list.updated', `phrase_list:${id}`, {
    before: factsOf(before),
    after: factsOf(row),
  });
  return saved(ctx, row);
}

/**
 * Deletes a list; a job takes it out of the calls it was found in. Fails with `not_found`, and with
 * `phrase_list.used` while a rule uses it.
 */
export async function deletePhraseList(ctx: TxCtx, id: number): Promise<void> {
  const { tx, companyId } = ctx;
  await lockLists(tx, companyId);
  const rule = await ruleUsingList(tx, companyId, id);
  if (rule) fail('phrase_list.used', { rule: rule.name });
  const { name } = (await hideList(tx, companyId, id, ctx.now)) ?? notFound();
  await ctx.enqueue(removePhraseListJob, { listId: id });
  await audit(ctx, 'phrase_list.deleted', `phrase_list:${id}`, { before: { name } });
  await ctx.publish(contract.phraseListsChanged, { companyId });
}

const factsOf = ({ name, phrases, said_by, at_least, alert }: PhraseListRow) => ({
  ...{ name, phrases: phrases.join(', '), said_by, at_least, alert },
});

/** Queues the search of the last 30 days and answers with the list as it is now. */
async function saved(ctx: TxCtx, row: PhraseListRow): Promise<{ data: List }> {
  const { tx, companyId } = ctx;
  await ctx.enqueue(searchBackJob, { listId: row.id, version: row.updated_at.toISOString() });
  await ctx.publish(contract.phraseListsChanged, { companyId });
  const calls = await countCalls(tx, companyId, lookBackSince(ctx.now), ctx.numbers);
  return { data: presentList(row, calls.get(row.id) ?? 0) };
}
