import type { Evidence } from '#contract/tracking/match-schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { decideMatch, type Decision } from './rules.ts';
import { fixedSourcesOf } from './fixed-sources.ts';
import { matchOfNumber, matchOfVisit, type LeaseCandidate } from './make-match.ts';
import { cluesOf, type Clues, type Contact, type PossibleLease } from './store.ts';
import type { Match } from './types.ts';

/**
 * Where calls or texts came from (A8.5), in their order. Null: the number is in no pool and was
 * shown to no visitor lately. Reads only; `storeMatches` stores what becomes of it.
 */
export async function findMatches(
  ctx: TxCtx,
  contacts: readonly Contact[],
): Promise<(Match | null)[]> {
  if (contacts.length === 0) return [];
  const clues = new Map(
    (await cluesOf(ctx.tx, ctx.companyId, contacts, ctx.now)).map((one) => [one.n, one]),
  );
  const found: (Match | null)[] = [];
  for (const [i, contact] of contacts.entries()) {
    const own = clues.get(i + 1);
    found.push(own ? matchOfClues(ctx.now, own, await fixedSources(ctx, contact, own)) : null);
  }
  return found;
}

/** The sources that the number stands for; null: it is in no pool for sources. */
const fixedSources = async (ctx: TxCtx, { numberId }: Contact, { mode, pool_id }: Clues) =>
  mode === 'source' && pool_id !== null ? fixedSourcesOf(ctx, pool_id, numberId) : null;

/**
 * Where a call or text at this moment came from. Pure.
 * @param fixed the sources that the number stands for; null: it is in no pool for sources
 */
export function matchOfClues(
  at: Date,
  clues: Clues,
  fixed: readonly { id: number; key: string; label: string }[] | null,
): Match {
  const decision = decideMatch(
    at,
    (clues.leases ?? []).map(candidateOf),
    clues.known_visitor,
    clues.known_visit !== null,
  );
  // In a pool for sources the number itself says which ones are possible.
  const isContradicted =
    decision?.candidate === null &&
    fixed !== null &&
    !fixed.some(({ id }) => id === clues.known_visit?.source_id);
  return decision && !isContradicted
    ? matchOfVisit(clues, decision, evidenceOf(clues, decision))
    : matchOfNumber(clues, fixed ?? []);
}

const candidateOf = (lease: PossibleLease): LeaseCandidate => ({
  leaseId: lease.id,
  visitId: lease.visit.id,
  visitorId: lease.visit.visitor_id,
  startedAt: new Date(lease.started_at),
  lastSeenAt: new Date(lease.last_seen_at),
  overAt: new Date(lease.over_at),
  windowHours: lease.window_hours,
  lease,
});

const fact = (name: Evidence['fact'], value: string, at: Date | string | null): Evidence => ({
  fact: name,
  value,
  at: at === null ? null : new Date(at).toISOString(),
});

/** Why this visit, the strongest reason first; then which rule gave the visit its source. */
function evidenceOf(
  clues: Clues,
  { candidate, label, ranked }: Decision<LeaseCandidate>,
): Evidence[] {
  const reasons: Evidence[] = [];
  if (label === 'returning') reasons.push(fact('known_caller', '', clues.known_at));
  if (candidate) {
    reasons.push(fact('number_shown', '', candidate.startedAt));
    reasons.push(fact('page_last_open', '', candidate.lastSeenAt));
    if (label !== 'exact') reasons.push(fact('number_hidden', '', candidate.overAt));
    if (ranked.length > 1)
      reasons.push(fact('number_shared', String(ranked.length), candidate.overAt));
  }
  const visit = candidate?.lease.visit ?? clues.known_visit;
  if (visit) reasons.push(fact('source_rule', visit.evidence, visit.started_at));
  return reasons;
}
