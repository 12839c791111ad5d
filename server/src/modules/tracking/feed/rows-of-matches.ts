import type { MatchKind } from '#contract/tracking/match-rules';
import type { MatchOf } from '../matching/insert-matches.ts';
import { itemOfMatch, type FeedItem } from './feed-rows.ts';

/** The rows of calls or texts that arrive at this moment. */
export const rowsOfMatches = (kind: MatchKind, many: readonly MatchOf[], at: Date): FeedItem[] =>
  many.map(({ subjectId, numberId, party, match }) =>
    itemOfMatch({
      ...{ subject_id: subjectId, kind, at, party, number_id: numberId, number: match.number },
      pool_id: match.poolId,
      source_key: match.source.key,
      source_label: match.source.label,
      campaign: match.campaign,
      landing_url: match.landingUrl,
      region: match.region,
      device: match.device,
      visit_id: match.visitId,
    }),
  );
