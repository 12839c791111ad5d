import { tracking as contract } from '#contract';
import type { MatchKind } from '#contract/tracking/match-rules';
import type { MatchedSource } from '#contract/tracking/match-schemas';
import { eventsOf, type TxCtx } from '../../../platform/context.ts';
import { asEvent } from '../feed/feed-rows.ts';
import { rowsOfMatches } from '../feed/rows-of-matches.ts';
import { pageOf } from '../hits/page-of.ts';
import { insertMatches, type MatchOf } from './insert-matches.ts';
import type { Match } from './types.ts';

/** A match in short, for the call's record, lists and events. */
export const matchedSource = (match: Match): MatchedSource => ({
  key: match.source.key,
  label: match.source.label,
  medium: match.medium,
  campaign: match.campaign,
  keyword: match.term,
  landingUrl: pageOf(match.landingUrl),
  confidence: match.confidence,
  matchLabel: match.label,
});

/** What who answers hears of the source; null: nothing is known, or the pool doesn't want it. */
export const sourceWhisper = ({ isWhispered, source }: Match): string | null =>
  isWhispered && source.key !== 'unknown' ? `Source: ${source.label}.` : null;

/** Stores where calls or texts came from, as it was known now, and publishes it. */
export async function storeMatches(
  ctx: TxCtx,
  kind: MatchKind,
  many: readonly MatchOf[],
): Promise<void> {
  if (many.length === 0) return;
  await insertMatches(ctx.tx, ctx.companyId, kind, many, ctx.now);
  await ctx.publishAll([
    ...eventsOf(
      contract.matched,
      many.map(({ subjectId, numberId, match }) => ({
        data: {
          kind,
          subjectId,
          numberId,
          poolId: match.poolId,
          sessionId: match.visitId,
          source: matchedSource(match),
          at: ctx.now.toISOString(),
        },
        about: { numberId },
      })),
    ),
    ...eventsOf(contract.dniFeed, rowsOfMatches(kind, many, ctx.now).map(asEvent)),
  ]);
}
