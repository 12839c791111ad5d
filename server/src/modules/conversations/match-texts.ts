import type { EventData } from '#contract';
import type { Evidence, MatchedSource } from '#contract/tracking/match-schemas';
import type { matched } from '#contract/tracking/events';
import type { TxCtx } from '../../platform/context.ts';
import { withSavepoint } from '../../platform/savepoint.ts';
import { isBlocked } from '../compliance/index.ts';
import { attributionOf, findMatches, matchedSource, storeMatches } from '../tracking/index.ts';
import { appendItem } from './append-item.ts';
import { matchedFacts } from './item-details.ts';
import type { ConversationKey, UpdatedConversation } from './store-inbound.ts';
import { insertItems } from './store-items.ts';
import type { ItemRow } from './store.ts';
import { partiesOfCall } from './store-notes.ts';

type Found = Awaited<ReturnType<typeof findMatches>>[number];

/**
 * Where texts came from, in their order; null: not to a tracking number. A match that fails doesn't
 * lose the texts: then none of them has one.
 */
export const matchesOfTexts = (t: TxCtx, pairs: readonly ConversationKey[]): Promise<Found[]> =>
  orNothing(
    t,
    () => findMatches(t, pairs),
    pairs.map(() => null),
  );

/**
 * Stores the matches of stored texts, which are numbered from 1 in their conversations' `items`.
 * Returns the new items that show them.
 */
export async function storeTextMatches(
  t: TxCtx,
  conversations: readonly UpdatedConversation[],
  matches: readonly Found[],
): Promise<ItemRow[]> {
  const texts = conversations.flatMap((conversation) =>
    conversation.items.flatMap(([n, itemId]) => {
      const match = matches[n - 1];
      return match ? [{ conversation, itemId, match }] : [];
    }),
  );
  if (texts.length === 0) return [];
  return orNothing(t, async () => {
    await storeMatches(
      t,
      'text',
      texts.map(({ conversation, itemId, match }) => ({
        subjectId: itemId,
        numberId: conversation.number_id,
        party: conversation.party,
        match,
      })),
    );
    const shown = texts.filter(({ match }) => isShown(matchedSource(match)));
    return insertItems(
      t.tx,
      shown.map(({ conversation, match }) => itemOf(t, conversation, match)),
    );
  }, []);
}

function itemOf(t: TxCtx, conversation: UpdatedConversation, match: NonNullable<Found>) {
  const source = matchedSource(match);
  return {
    company_id: t.companyId,
    conversation_id: conversation.id,
    number_id: conversation.number_id,
    kind: 'trackingmatch',
    is_inbound: true,
    created_at: t.now,
    read_at: t.now,
    details: JSON.stringify(detailsOf(source, match.evidence, t.now.toISOString())),
    source: keyOf(conversation.id, match.visitId, source),
  };
}

async function orNothing<T>(t: TxCtx, work: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await withSavepoint(t.tx, work);
  } catch (error) {
    t.log.error({ err: error }, 'texts were stored without where they came from');
    return nothing;
  }
}

/**
 * Shows in the conversation where a call came from. Not of a blocked caller, whose call isn't shown
 * there either while it rings.
 */
export async function appendCallMatch(ctx: TxCtx, e: EventData<typeof matched>): Promise<void> {
  if (!isShown(e.source)) return;
  const call = await partiesOfCall(ctx.tx, ctx.companyId, e.subjectId);
  if (!call || (await isBlocked(ctx.tx, ctx.companyId, call.number_id, call.party))) return;
  const found = await attributionOf(ctx, 'call', e.subjectId, null);
  await appendItem(ctx, {
    numberId: call.number_id,
    party: call.party,
    kind: 'trackingmatch',
    isInbound: true,
    at: new Date(e.at),
    excludedFromLatest: true,
    source: (conversationId) => keyOf(conversationId, e.sessionId, e.source),
    details: detailsOf(e.source, found?.evidence ?? [], e.at, e.subjectId),
  });
}

/** An unknown source says nothing that a conversation should show. */
const isShown = (source: MatchedSource): boolean => source.key !== 'unknown';

/** A conversation has one item for each visit, and one for each source that only its number says. */
const keyOf = (conversationId: number, visitId: number | null, source: MatchedSource): string =>
  visitId === null
    ? `match:${conversationId}:source:${source.key}`
    : `match:${conversationId}:visit:${visitId}`;

const detailsOf = (
  source: MatchedSource,
  evidence: readonly Evidence[],
  matchedAt: string,
  callId: number | null = null,
) => ({
  ...matchedFacts(source),
  confidence: source.confidence,
  matchLabel: source.matchLabel,
  // What a parameter said can be about the person; its name is the reason.
  evidence: evidence.map((one) => ({ ...one, value: one.value.replace(/=.*$/s, '') })),
  matchedAt,
  callId,
});
