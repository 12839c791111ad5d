import type { KnownSource } from '../src/modules/tracking/classification/types.ts';
import { knownSystemSources } from '../src/modules/tracking/classification/system-sources.ts';
import { groupBy } from '../src/modules/tracking/hits/batching.ts';
import { matchOfClues } from '../src/modules/tracking/matching/find-matches.ts';
import type { PossibleLease, VisitFacts } from '../src/modules/tracking/matching/store.ts';
import type { Match } from '../src/modules/tracking/matching/types.ts';
import type { Person } from './demo-slots.ts';
import { factsOf, type DemoSite, type SeededPool, type Visit } from './demo-visit.ts';
import type { SeedNumber } from './demo-rows.ts';

const HOUR = 3_600_000;
/** As the pools of the demo have it. */
const windowHours = 24;

const iso = (at: number) => new Date(at).toISOString();

/**
 * Matches calls and texts with visits by the product's own rules; asked in the order of time, because
 * who was recognized once is known from then on.
 */
export function matcherOf(demo: DemoSite, visits: readonly Visit[]) {
  const byNumber = groupBy(
    visits.filter(({ leaseId }) => leaseId !== null),
    ({ number }) => number?.id,
  );
  const byVisitor = groupBy(visits, ({ visitorId }) => visitorId);
  const known = new Map<string, { visitorId: string; at: Date }>();
  return (
    at: number,
    { person, number, pool }: { person: Person; number: SeedNumber; pool: SeededPool },
  ): Match => {
    const visitor = known.get(person.number);
    const last = byVisitor.get(visitor?.visitorId ?? '')?.findLast((visit) => visit.at <= at);
    const isFixed = pool.id === demo.fixed.id;
    const leases = (byNumber.get(number.id) ?? [])
      .filter((visit) => visit.at <= at && visit.over > at - windowHours * HOUR)
      .reverse();
    const match = matchOfClues(
      new Date(at),
      {
        ...{
          n: 1,
          number: number.number,
          pool_id: pool.id,
          mode: isFixed ? 'source' : 'visitor',
          model: 'first_touch',
        },
        is_whispered: null,
        leases: leases.map(leaseOf),
        known_visitor: visitor?.visitorId ?? null,
        known_at: visitor?.at ?? null,
        known_visit: last ? visitOf(last) : null,
      },
      isFixed ? fixedSource(demo, number) : null,
    );
    if (match.label === 'exact' && match.visitorId)
      known.set(person.number, { visitorId: match.visitorId, at: new Date(at) });
    return match;
  };
}

/** The source that always sees this number. */
function fixedSource({ fixed, sources }: DemoSite, number: SeedNumber): KnownSource[] {
  const id = fixed.sourceIds[fixed.numbers.indexOf(number)];
  return [...sources, ...knownSystemSources].filter((source) => source.id === id);
}

const visitOf = (visit: Visit): VisitFacts => ({
  ...{ id: visit.id, visitor_id: visit.visitorId, started_at: iso(visit.at) },
  ...{ url: visit.url, referrer: visit.referrer, evidence: visit.found.evidence },
  ...factsOf(visit),
  region: visit.region,
});

const leaseOf = (visit: Visit): PossibleLease => ({
  ...{ id: visit.leaseId ?? 0, pool_id: visit.pool.id, model: 'first_touch' },
  ...{ window_hours: windowHours, is_shared: false },
  ...{ started_at: iso(visit.at), last_seen_at: iso(visit.seen), over_at: iso(visit.over) },
  visit: visitOf(visit),
});
