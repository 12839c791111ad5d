import type { MatchKind } from '#contract/tracking/match-rules';
import type {
  Attribution,
  Evidence,
  MatchCandidate,
  Touch,
} from '#contract/tracking/match-schemas';
import { poolSettings } from '#contract/tracking/pool-schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { lookbackOf, matchOf, visitsBefore, type MatchRow, type TouchRow } from './store.ts';

const iso = (at: Date) => new Date(at).toISOString();

/**
 * Where a call or text came from, and the visits of the same visitor before it. Null: its number was
 * no tracking number, or this is no longer kept.
 */
export async function attributionOf(
  ctx: TxCtx,
  kind: MatchKind,
  subjectId: number,
): Promise<Attribution | null> {
  const match = await matchOf(ctx.tx, ctx.companyId, kind, subjectId);
  if (!match) return null;
  return {
    ...presentMatch(match, match.pool_name),
    touches: await touchesOf(ctx, match),
  };
}

async function touchesOf(ctx: TxCtx, match: MatchRow): Promise<Touch[]> {
  if (match.visitor_id === null) return [];
  const days =
    (match.pool_id === null ? null : await lookbackOf(ctx.tx, ctx.companyId, match.pool_id)) ??
    poolSettings.parse({}).lookbackDays;
  const visits = await visitsBefore(ctx.tx, ctx.companyId, match.visitor_id, match.at, days);
  return visits.map((visit) => presentTouch(visit, visit.id === match.visit_id));
}

const presentTouch = (visit: TouchRow, isMatched: boolean): Touch => ({
  sessionId: visit.id,
  at: iso(visit.started_at),
  ...sourceFacts(visit),
  landingUrl: visit.url,
  referrer: visit.referrer,
  isMatched,
});

const sourceFacts = (row: MatchRow | TouchRow) => ({
  source: { id: row.source_id, key: row.source_key, label: row.source_label },
  medium: row.medium,
  campaign: row.campaign,
  term: row.term,
  content: row.content,
});

const presentMatch = (row: MatchRow, poolName: string | null): Omit<Attribution, 'touches'> => ({
  kind: row.kind as MatchKind,
  model: row.model as Attribution['model'],
  matchLabel: row.label as Attribution['matchLabel'],
  confidence: row.confidence,
  matchedAt: iso(row.at),
  pool: row.pool_id === null ? null : { id: row.pool_id, name: poolName ?? '' },
  visitorId: row.visitor_id,
  sessionId: row.visit_id,
  leaseId: row.lease_id,
  ...sourceFacts(row),
  keyword: row.term,
  landingUrl: row.landing_url,
  referrer: row.referrer,
  clickIds: row.click_ids as Record<string, string>,
  device: row.device as Attribution['device'],
  ruleId: row.rule_id,
  evidence: row.evidence as Evidence[],
  candidates: row.candidates as MatchCandidate[],
});
