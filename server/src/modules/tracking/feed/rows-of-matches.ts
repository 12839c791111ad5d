import type { MatchKind } from '#contract/tracking/match-rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { MatchOf } from '../matching/store.ts';
import { itemOfMatch, type FeedItem } from './feed-rows.ts';
import { factsOfMatches } from './store.ts';

/** The rows of calls or texts that arrive now. */
export async function rowsOfMatches(
  { tx, companyId, now }: TxCtx,
  kind: MatchKind,
  many: readonly MatchOf[],
): Promise<FeedItem[]> {
  const { numbers, regions } = await factsOfMatches(
    tx,
    companyId,
    many.map(({ numberId }) => numberId),
    many.flatMap(({ match }) => match.visitId ?? []),
  );
  return many.map(({ subjectId, numberId, party, match }) =>
    itemOfMatch({
      ...{ subject_id: subjectId, kind, at: now, party, number_id: numberId },
      number: numbers.get(numberId) ?? '',
      pool_id: match.poolId,
      source_key: match.source.key,
      source_label: match.source.label,
      campaign: match.campaign,
      landing_url: match.landingUrl,
      region: match.visitId === null ? null : (regions.get(match.visitId) ?? null),
      device: match.device,
      visit_id: match.visitId,
    }),
  );
}
