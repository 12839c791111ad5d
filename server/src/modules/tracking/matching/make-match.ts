import type { Evidence, MatchCandidate } from '#contract/tracking/match-schemas';
import { systemSource } from '../classification/system-sources.ts';
import type { Candidate, Decision, Ranked } from './rules.ts';
import type { Clues, PossibleLease, VisitFacts } from './store.ts';
import type { Match } from './types.ts';

const sourceOf = (visit: VisitFacts) => ({
  id: visit.source_id,
  key: visit.source_key,
  label: visit.source_label,
});

/** A lease in the shape of the rules, with its row. */
export interface LeaseCandidate extends Candidate {
  lease: PossibleLease;
}

/** A match with a visit: its facts, copied. Throws if the decision names none. */
export function matchOfVisit(
  clues: Clues,
  { label, confidence, candidate, ranked }: Decision<LeaseCandidate>,
  evidence: Evidence[],
): Match {
  const visit = candidate?.lease.visit ?? clues.known_visit;
  if (!visit) throw new Error('a match without a visit');
  return {
    poolId: candidate?.lease.pool_id ?? clues.pool_id,
    isWhispered: clues.is_whispered ?? false,
    label,
    confidence,
    model: candidate?.lease.model ?? clues.model ?? 'first_touch',
    visitorId: visit.visitor_id,
    visitId: visit.id,
    leaseId: candidate?.leaseId ?? null,
    source: sourceOf(visit),
    medium: visit.medium,
    campaign: visit.campaign,
    term: visit.term,
    content: visit.content,
    landingUrl: visit.url,
    referrer: visit.referrer,
    clickIds: visit.click_ids,
    device: visit.device,
    region: visit.region,
    number: clues.number,
    ruleId: visit.rule_id,
    evidence,
    candidates: ranked.map(presentCandidate),
  };
}

const presentCandidate = ({ candidate, share }: Ranked<LeaseCandidate>): MatchCandidate => {
  const { visit } = candidate.lease;
  return {
    sessionId: visit.id,
    leaseId: candidate.leaseId,
    share,
    startedAt: new Date(visit.started_at).toISOString(),
    source: sourceOf(visit),
    campaign: visit.campaign,
    landingUrl: visit.url,
  };
};

/** A call that only its number says something about: the one source that sees it, else unknown. */
export function matchOfNumber(
  clues: Clues,
  fixed: readonly { id: number; key: string; label: string }[],
): Match {
  const [only, ...others] = fixed;
  const { id, key, label } = only && others.length === 0 ? only : systemSource('unknown');
  return {
    poolId: clues.pool_id,
    isWhispered: clues.is_whispered ?? false,
    label: 'number_level',
    confidence: 0,
    model: clues.model ?? 'first_touch',
    visitorId: null,
    visitId: null,
    leaseId: null,
    source: { id, key, label },
    medium: null,
    campaign: null,
    term: null,
    content: null,
    landingUrl: null,
    referrer: null,
    clickIds: {},
    device: null,
    region: null,
    number: clues.number,
    ruleId: null,
    evidence: fixed.map((source) => ({ fact: 'fixed_source', value: source.label, at: null })),
    candidates: [],
  };
}
