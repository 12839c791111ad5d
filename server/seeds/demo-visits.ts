import type { Tx } from '../src/platform/db.ts';
import { classify } from '../src/modules/tracking/classification/classify.ts';
import { staticNumber } from '../src/modules/tracking/pools/choose-pool.ts';
import { seedHits } from './demo-hits.ts';
import { drawLanding, recall, type Landing } from './demo-landings.ts';
import { idAt, insertInBatches, type SeedCompany } from './demo-rows.ts';
import { factsOf, site, type DemoSite, type Visit } from './demo-visit.ts';
import { seedVisitContacts } from './demo-visit-contacts.ts';
import { createRandom, type SeededRandom } from './demo-vocabulary.ts';
import { momentsOf } from './demo-week.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const days = 89;
const domains = ['www.harbordental.test', 'harbordental.test'];
const drawnDevices = ['mobile', 'mobile', 'mobile', 'desktop', 'tablet'] as const;
const regions = ['NY', 'NY', 'NY', 'NY', 'NJ', 'CT'] as const;
/** Which days ago the practice wrote to its patients. */
const mailings = [5, 33, 61];

/**
 * Ninety days of visits to the demo's website, and the calls and texts that came from them, given
 * numbers and matched as the product does it.
 */
export async function seedVisits(
  tx: Tx,
  company: SeedCompany,
  demo: DemoSite,
  now: Date,
): Promise<void> {
  const random = createRandom(20_261_126);
  const visits = planVisits(random, company, demo, now.getTime());
  await insertVisits(tx, company.id, visits);
  await seedSite(tx, company.id, Math.max(...visits.map(({ seen }) => seen)));
  await seedHits(tx, random, company.id, visits, now);
  await seedVisitContacts(tx, random, company, { demo, visits, now });
}

/** Visits with the numbers that they saw, in the order of time; `now` in ms. */
export function planVisits(
  random: SeededRandom,
  company: Pick<SeedCompany, 'rhythm'>,
  demo: DemoSite,
  now: number,
): Visit[] {
  const until = now - 20 * MINUTE;
  const moments = momentsOf(random, company.rhythm, until, {
    ...{ days, perWeek: 72, weeklyGrowth: 1.2 },
  });
  const drafts = moments.flatMap((at, i) => {
    const visitorId = `demo-${at.toString(36)}-${i}`;
    const device = random.pick(drawnDevices);
    const draft = (when: number, landing: Landing) => ({ at: when, landing, visitorId, device });
    // Some have been here before, from elsewhere.
    const before = random.chance(0.25) ? random.int(1, 3) : 0;
    const earlier = Array.from({ length: before }, (_, n) =>
      draft(at - random.int(1 + n * 6, 6 + n * 6) * DAY - random.int(0, 90) * MINUTE, {
        ...drawLanding(random),
        contacts: 0,
      }),
    );
    return [...earlier, draft(at, drawLanding(random))];
  });
  // An email is opened by many at once: more than the pool has numbers for.
  const opened = mailings.flatMap((ago) => {
    const first = moments.find((at) => at > now - ago * DAY) ?? until - DAY;
    return Array.from({ length: 14 }, (_, i) => ({
      at: first + i * 70_000,
      landing: recall,
      visitorId: `demo-${first.toString(36)}-m${i}`,
      device: random.pick(drawnDevices),
    }));
  });
  const giveNumber = numbersOf(demo);
  return [...drafts, ...opened]
    .filter(({ at }) => at > now - days * DAY && at < until)
    .sort((a, b) => a.at - b.at)
    .map(({ at, landing: { path, referrer, contacts }, visitorId, device }): Visit => {
      const url = `${site}${path}`;
      const settings = { sources: demo.sources, domains, parameterNames: {} };
      const found = classify({ url, referrer }, settings);
      const seen = at + random.int(2, 16) * MINUTE;
      const facts = { visitorId, at, seen, over: seen + 5 * MINUTE, found };
      return {
        ...facts,
        ...giveNumber(facts),
        ...{ id: idAt(at), url, referrer, device, contacts },
        region: random.pick(regions),
        pages: random.int(1, 5),
      };
    });
}

/**
 * Gives visits their numbers in the order of time: that of their source, else the one that the
 * visitor had last, else the one that is idle longest.
 */
function numbersOf({ visitors, fixed }: DemoSite) {
  const places = visitors.numbers.map((number) => ({ number, until: 0, visitorId: '' }));
  return ({ at, over, found, visitorId }: Pick<Visit, 'at' | 'over' | 'found' | 'visitorId'>) => {
    const sourceId = found.source.id;
    if (fixed.sourceIds.includes(sourceId)) {
      const shown = staticNumber(
        fixed.numbers.map(({ number }) => number),
        fixed.sourceIds,
        sourceId,
      );
      const number = fixed.numbers.find((one) => one.number === shown) ?? null;
      return { pool: fixed, leaseId: null, number };
    }
    const free = places
      .filter(({ until }) => until <= at)
      .toSorted(
        (a, b) =>
          Number(b.visitorId === visitorId) - Number(a.visitorId === visitorId) ||
          a.until - b.until,
      )[0];
    if (!free) return { pool: visitors, leaseId: null, number: null };
    Object.assign(free, { until: over, visitorId });
    return { pool: visitors, leaseId: idAt(at), number: free.number };
  };
}

async function insertVisits(tx: Tx, company_id: number, visits: readonly Visit[]): Promise<void> {
  await insertInBatches(
    tx,
    'tracking_visit',
    visits.map((v) => ({
      company_id,
      id: v.id,
      pool_id: v.pool.id,
      lease_id: v.leaseId,
      visitor_id: v.visitorId,
      started_at: new Date(v.at),
      last_seen_at: new Date(v.seen),
      url: v.url,
      referrer: v.referrer,
      ...factsOf(v),
      evidence: v.found.evidence,
      ...{ region: v.region, page_count: v.pages },
      outcome: v.leaseId !== null ? 'leased' : v.number ? 'static' : 'exhausted',
      fixed_number_id: v.leaseId === null ? (v.number?.id ?? null) : null,
      swapped_at: v.number && new Date(v.at + 1200),
    })),
  );
  await insertInBatches(
    tx,
    'tracking_lease',
    visits.flatMap((v) =>
      v.leaseId === null
        ? []
        : {
            ...{ company_id, id: v.leaseId, pool_id: v.pool.id, number_id: v.number!.id },
            ...{ session_id: v.id, visitor_id: v.visitorId, is_shared: false },
            started_at: new Date(v.at),
            last_seen_at: new Date(v.seen),
            expires_at: new Date(v.over),
            ends_at: new Date(v.at + DAY / 2),
            ended_at: new Date(v.over),
          },
    ),
  );
}

/** Where the script was heard from. */
const seedSite = (tx: Tx, company_id: number, lastSeen: number) =>
  insertInBatches(tx, 'tracking_site', [
    {
      company_id,
      host: new URL(site).host,
      last_seen_at: new Date(lastSeen),
      version: '1.0.0',
      swapped: 4,
      swapped_at: new Date(lastSeen),
    },
  ]);
