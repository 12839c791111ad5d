import type { MatchLabel } from '#contract/tracking/match-rules';

/** A visit that a call may have come from: one to which the called number was shown. */
export interface Candidate {
  leaseId: number;
  visitId: number;
  /** Null: the visitor didn't agree to be recognized. */
  visitorId: string | null;
  startedAt: Date;
  lastSeenAt: Date;
  /** When its page was closed, or the number was taken from it. In the future: it is shown now. */
  overAt: Date;
  /** How long after that calls are still matched. */
  windowHours: number;
}
export interface Ranked<C extends Candidate> {
  candidate: C;
  /** Percent, whole. */
  share: number;
}
/** `candidate` null: the last visit of the visitor who the caller is known to be. */
export interface Decision<C extends Candidate> {
  label: Exclude<MatchLabel, 'number_level'>;
  confidence: number;
  candidate: C | null;
  /** All that were possible, the likeliest first. */
  ranked: Ranked<C>[];
}

/** What a call of a known caller is worth at least. */
export const returningConfidence = 80;
const HOUR_MS = 3_600_000;

/** How sure a visit alone is: 100 while it sees the number, then down to 50 at the window's end. */
function confidenceOf({ overAt, windowHours }: Candidate, at: Date): number {
  const elapsed = at.getTime() - overAt.getTime();
  return elapsed < 0 ? 100 : Math.round(100 - (50 * elapsed) / (windowHours * HOUR_MS));
}

/** Visits lose weight with the minutes since their page was last heard of: half after one. */
const weightOf = (candidate: Candidate, at: Date): number =>
  1 / (1 + Math.max(0, at.getTime() - candidate.lastSeenAt.getTime()) / 60_000);

/**
 * The visit that a call came from (A8.5). Pure. Null: none is possible.
 * @param candidates visits that see or saw the number within their window
 * @param knownVisitor who the caller was in an exact match before; null: unknown
 * @param hasVisited whether that visitor has a visit to fall back on
 */
export function decideMatch<C extends Candidate>(
  at: Date,
  candidates: readonly C[],
  knownVisitor: string | null,
  hasVisited: boolean,
): Decision<C> | null {
  const ranked = rank(at, possible(at, candidates));
  const known = ranked.find(({ candidate }) => isVisitor(candidate, knownVisitor));
  const best = known ?? ranked[0];
  if (!best)
    return hasVisited
      ? { label: 'returning', confidence: returningConfidence, candidate: null, ranked }
      : null;
  const { candidate, share } = best;
  const alone = confidenceOf(candidate, at);
  const isActive = candidate.overAt > at;
  if (ranked.length === 1 && isActive)
    return { label: 'exact', confidence: 100, candidate, ranked };
  if (known) {
    const confidence = Math.max(returningConfidence, alone);
    return { label: 'returning', confidence, candidate, ranked };
  }
  const confidence = ranked.length === 1 ? alone : Math.round((alone * share) / 100);
  // A caller we know is likelier on a new device or network than a stranger of hours ago.
  if (hasVisited && confidence < returningConfidence)
    return { label: 'returning', confidence: returningConfidence, candidate: null, ranked };
  const label = ranked.length === 1 ? 'recent' : 'ambiguous';
  return { label, confidence, candidate, ranked };
}

const isVisitor = ({ visitorId }: Candidate, known: string | null): boolean =>
  known !== null && visitorId === known;

/** Those that see the number now; if none does, those that saw it. Each visitor once, the latest visit. */
function possible<C extends Candidate>(at: Date, candidates: readonly C[]): C[] {
  const open = candidates.filter(({ overAt }) => overAt > at);
  const latestFirst = (open.length > 0 ? open : [...candidates]).toSorted(
    (a, b) => b.startedAt.getTime() - a.startedAt.getTime() || b.leaseId - a.leaseId,
  );
  const seen = new Set<string | number>();
  return latestFirst.filter(({ visitorId, visitId }) => {
    const visitor = visitorId ?? visitId;
    const isNew = !seen.has(visitor);
    seen.add(visitor);
    return isNew;
  });
}

/** Shares of 100 by weight; what rounding leaves goes to the likeliest. */
function rank<C extends Candidate>(at: Date, candidates: readonly C[]): Ranked<C>[] {
  const weights = candidates.map((candidate) => weightOf(candidate, at));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const ranked = candidates
    .map((candidate, i) => ({
      candidate,
      share: Math.floor((100 * (weights[i] ?? 0)) / total),
      weight: weights[i] ?? 0,
    }))
    .toSorted((a, b) => b.weight - a.weight);
  const rest = 100 - ranked.reduce((sum, { share }) => sum + share, 0);
  return ranked.map(({ candidate, share }, i) => ({
    candidate,
    share: i === 0 ? share + rest : share,
  }));
}
