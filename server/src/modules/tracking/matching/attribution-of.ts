import type { MatchKind } from '#contract/tracking/match-rules';
import type {
  Attribution,
  Evidence,
  MatchCandidate,
  ModelCredits,
  Touch,
} from '#contract/tracking/match-schemas';
import { attributionModels } from '#contract/tracking/pool-rules';
import type { TxCtx } from '../../../platform/context.ts';
import { creditsOf } from '../models/credits.ts';
import { allowedModel, defaultModel, firstContact, modelOfPool } from '../models/store.ts';
import { matchOf, visitOf, visitsBefore, type MatchRow, type TouchRow } from './store.ts';

const iso = (at: Date) => new Date(at).toISOString();

/**
 * Where a call or text came from, the visits of the same visitor before it, and what each model gives
 * them. Null: its number was no tracking number, or this is no longer kept.
 * @param qualifiedAt when a call of this person was qualified first; null: never
 */
export async function attributionOf(
  ctx: TxCtx,
  kind: MatchKind,
  subjectId: number,
  qualifiedAt: Date | null,
): Promise<Attribution | null> {
  const match = await matchOf(ctx.tx, ctx.companyId, kind, subjectId);
  if (!match) return null;
  const { model, visits } = await wayTo(ctx, match);
  return {
    ...presentMatch(match, match.pool_name),
    model,
    touches: visits.map((visit) => presentTouch(visit, visit.id === match.visit_id)),
    credits: visits.length === 0 ? [] : await creditsOfAll(ctx, match, visits, qualifiedAt),
  };
}

/** A visit on the way to a call that a click on an ad began. */
interface CreditedClick {
  at: Date;
  /** IDs that the ad’s platform gave the click, by the name of their parameter. */
  ids: Readonly<Record<string, string>>;
  cookies: Readonly<Record<string, string>>;
  /** What the attribution model gives it, of 10,000. */
  basisPoints: number;
}

/**
 * Clicks on ads on the way to a call or text, those with the most credit first. Empty: there were none,
 * or they are no longer kept.
 * @param qualifiedAt as `attributionOf` takes it; asked for only where the model looks at it
 */
export async function creditedClicks(
  ctx: TxCtx,
  kind: MatchKind,
  subjectId: number,
  qualifiedAt: () => Promise<Date | null>,
): Promise<CreditedClick[]> {
  const match = await matchOf(ctx.tx, ctx.companyId, kind, subjectId);
  if (!match) return [];
  const { model, visits } = await wayTo(ctx, match);
  const clicked = visits.filter(({ click_ids: ids }) => Object.keys(ids).length > 0);
  if (clicked.length === 0) return [];
  const credits = await creditsOfModel(
    ctx,
    match,
    visits,
    model === 'w_shaped' ? await qualifiedAt() : null,
  );
  const points = new Map(
    credits(model).credits.map(({ visitId, basisPoints }) => [visitId, basisPoints]),
  );
  return clicked
    .map((visit) => ({
      at: new Date(visit.started_at),
      ids: visit.click_ids,
      cookies: visit.cookies,
      basisPoints: points.get(visit.id) ?? 0,
    }))
    .toSorted((a, b) => b.basisPoints - a.basisPoints || b.at.getTime() - a.at.getTime());
}

/** The visits before a call, and the model that its pool has now; without a pool, the company's. */
async function wayTo(ctx: TxCtx, match: MatchRow) {
  const pool =
    match.pool_id === null ? null : await modelOfPool(ctx.tx, ctx.companyId, match.pool_id);
  const { model, lookback_days } = pool ?? (await defaultModel(ctx.tx, ctx.companyId));
  return {
    model: (await allowedModel(ctx.tx, ctx.companyId))(model),
    visits: await visitsOf(ctx, match, lookback_days),
  };
}

async function visitsOf({ tx, companyId }: TxCtx, match: MatchRow, days: number) {
  if (match.visitor_id !== null)
    return visitsBefore(tx, companyId, match.visitor_id, match.at, days);
  const visit = match.visit_id === null ? null : await visitOf(tx, companyId, match.visit_id);
  return visit ? [visit] : [];
}

async function creditsOfAll(
  ctx: TxCtx,
  match: MatchRow,
  rows: readonly TouchRow[],
  qualifiedAt: Date | null,
): Promise<ModelCredits[]> {
  const of = await creditsOfModel(ctx, match, rows, qualifiedAt);
  const allowed = await allowedModel(ctx.tx, ctx.companyId);
  return attributionModels
    .filter((model) => allowed(model) === model)
    .map((model) => {
      const { credits, fallback } = of(model);
      return {
        model,
        credits: credits.map(({ visitId, basisPoints }) => ({ sessionId: visitId, basisPoints })),
        fallback,
      };
    });
}

/** What a model gives these visits. */
async function creditsOfModel(
  { tx, companyId }: TxCtx,
  { party, visitor_id: visitorId, at }: MatchRow,
  rows: readonly TouchRow[],
  qualifiedAt: Date | null,
) {
  const visits = rows.map((row) => ({
    id: row.id,
    at: new Date(row.started_at),
    source: String(row.source_id),
    isDirect: row.source_key === 'direct',
  }));
  const known = party.startsWith('+') ? party : null;
  const lead = await firstContact(tx, companyId, { party: known, visitorId, until: at });
  return (model: Attribution['model']) => creditsOf(model, visits, at, { lead, qualifiedAt });
}

const presentTouch = (visit: TouchRow, isMatched: boolean): Touch => ({
  sessionId: visit.id,
  at: iso(visit.started_at),
  ...sourceFacts(visit),
  landingUrl: visit.url,
  referrer: visit.referrer,
  pages: visit.page_count,
  isMatched,
});

const sourceFacts = (row: MatchRow | TouchRow) => ({
  source: { id: row.source_id, key: row.source_key, label: row.source_label },
  medium: row.medium,
  campaign: row.campaign,
  term: row.term,
  content: row.content,
});

const presentMatch = (
  row: MatchRow,
  poolName: string | null,
): Omit<Attribution, 'model' | 'touches' | 'credits'> => ({
  kind: row.kind as MatchKind,
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
