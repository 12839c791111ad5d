import type { Tx } from '../src/platform/db.ts';
import { classify } from '../src/modules/tracking/classification/classify.ts';
import { idAt, insertInBatches, type SeedCompany } from './demo-rows.ts';
import { factsOf, seedVisitCalls, type SeededPool, type Visit } from './demo-visit-calls.ts';
import { createRandom, type SeededRandom } from './demo-vocabulary.ts';
import { momentsOf } from './demo-week.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const days = 21;
const site = 'https://www.harbordental.test';
const domains = ['www.harbordental.test', 'harbordental.test'];

/** Where visitors come from; those at the front more often. */
const landings: readonly { path: string; referrer: string | null }[] = [
  {
    path: '/implants?utm_campaign=implants-manhattan&utm_term=dental+implants+cost&gclid=EAIaIQobChMI',
    referrer: 'https://www.google.com/',
  },
  {
    path: '/emergency?utm_campaign=emergency&utm_term=emergency+dentist+near+me&gclid=Cj0KCQiA',
    referrer: 'https://www.google.com/',
  },
  { path: '/', referrer: 'https://www.google.com/' },
  { path: '/?utm_source=gbp&utm_medium=organic&utm_campaign=profile', referrer: null },
  {
    path: '/whitening?utm_source=facebook&utm_medium=paidsocial&utm_campaign=spring-smile&fbclid=IwAR2',
    referrer: 'https://l.facebook.com/',
  },
  { path: '/invisalign', referrer: 'https://www.bing.com/' },
  { path: '/', referrer: null },
  { path: '/team', referrer: 'https://www.yelp.com/biz/harbor-dental' },
  {
    path: '/recall?utm_source=newsletter&utm_medium=email&utm_campaign=six-month-recall',
    referrer: null,
  },
  {
    path: '/invisalign?utm_campaign=invisalign&utm_term=invisalign+dentist&msclkid=7a1c',
    referrer: 'https://www.bing.com/',
  },
];
const devices = ['mobile', 'mobile', 'mobile', 'desktop', 'tablet'] as const;

/**
 * Three weeks of visits to the demo's website, and the calls that came from them, matched as the
 * product matches them: most while the visitor sees the number, some soon after.
 */
export async function seedVisits(
  tx: Tx,
  company: SeedCompany,
  pool: SeededPool,
  now: Date,
): Promise<void> {
  const random = createRandom(20_261_126);
  const moments = momentsOf(random, company.rhythm, now.getTime() - 20 * MINUTE, {
    days,
    perWeek: 45,
    weeklyGrowth: 3,
  });
  const visits = moments.map((at, i) => planVisit(random, at, i, pool));
  // Of a few visitors there is an earlier visit, from elsewhere.
  const earlier = visits
    .filter((_, i) => i % 6 === 2)
    .map((visit, i) => ({
      ...planVisit(random, visit.at - random.int(2, 9) * DAY, i, pool),
      visitorId: visit.visitorId,
    }));
  await insertVisits(tx, company.id, pool.id, [...earlier, ...visits]);
  await seedSites(tx, company.id, Math.max(...visits.map(({ seen }) => seen)));
  const calling = visits.filter((_, i) => i % 4 !== 1);
  await seedVisitCalls(tx, random, company, pool, { visits: calling, now });
}

function planVisit(random: SeededRandom, at: number, i: number, pool: SeededPool): Visit {
  const place = Math.min(random.int(0, 14), random.int(0, 14));
  const { path, referrer } = landings[place % landings.length]!;
  const url = `${site}${path}`;
  return {
    id: idAt(at),
    leaseId: idAt(at),
    visitorId: `demo-${at.toString(36)}-${i}`,
    at,
    seen: at + random.int(3, 18) * MINUTE,
    url,
    referrer,
    found: classify({ url, referrer }, { sources: [], domains, parameterNames: {} }),
    device: random.pick(devices),
    number: pool.numbers[i % pool.numbers.length]!,
  };
}

async function insertVisits(
  tx: Tx,
  company_id: number,
  pool_id: number,
  visits: readonly Visit[],
): Promise<void> {
  await insertInBatches(
    tx,
    'tracking_visit',
    visits.map((v) => ({
      company_id,
      id: v.id,
      pool_id,
      lease_id: v.leaseId,
      visitor_id: v.visitorId,
      started_at: new Date(v.at),
      last_seen_at: new Date(v.seen),
      url: v.url,
      referrer: v.referrer,
      ...factsOf(v),
      evidence: v.found.evidence,
      outcome: 'leased',
      swapped_at: new Date(v.at + 1200),
    })),
  );
  await insertInBatches(
    tx,
    'tracking_lease',
    visits.map((v) => ({
      company_id,
      id: v.leaseId,
      pool_id,
      number_id: v.number.id,
      session_id: v.id,
      visitor_id: v.visitorId,
      is_shared: false,
      started_at: new Date(v.at),
      last_seen_at: new Date(v.seen),
      expires_at: new Date(v.seen + 30 * MINUTE),
      ends_at: new Date(v.at + DAY / 2),
      ended_at: new Date(v.seen + 30 * MINUTE),
    })),
  );
}

/** Where the script was heard from. */
const seedSites = (tx: Tx, company_id: number, lastSeen: number) =>
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
