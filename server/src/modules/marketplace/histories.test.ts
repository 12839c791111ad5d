import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { marketplace as contract, numbers } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { provisionNumber } from '../numbers/index.ts';
import { returnToCarrier } from '../numbers/remove-number.ts';
import { endLease, returnLeasedNumber } from './end-lease.ts';
import { lockListing } from './reservation.ts';
import { unlistReleased } from './unlist-released.ts';

const histories = Number(process.env['LEASE_HISTORIES'] ?? 25);
const seed = Number(process.env['LEASE_SEED'] ?? 11);

const app = await createTestApp();
const people: TestPerson[] = [];
for (const name of ['Pier Radio', 'Bright Smiles', 'Harbor Dental'])
  people.push((await app.createCompany(name)).owner);

/** A step: an action of one of the three companies, or of the clock. */
const acts = [
  'offerNumber',
  'list',
  'price',
  'draft',
  'withdraw',
  'leaseByHand',
  'notice',
  'offer',
  'offer',
  'accept',
  'accept',
  'decline',
  'reserve',
  'reserve',
  'lease',
  'lease',
  'lease',
  'renew',
  'release',
  'keep',
  'hour',
  'nearTheEnd',
  'toTheEnd',
  'giveBack',
  'deliver',
  'deliver',
] as const;
type Act = (typeof acts)[number];
interface Step {
  who: number;
  act: Act;
  how: number;
  /** 0: any company tries it; otherwise one that is allowed to. */ sense: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(2),
  act: fc.constantFrom(...acts),
  how: fc.nat(2),
  sense: fc.nat(4),
});
/** The two steps of a pair run concurrently. */
const moments = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: step.map((s) => [s]) },
    { weight: 1, arbitrary: fc.tuple(step, step) },
  ),
  { minLength: 6, maxLength: 24 },
);
/** Most histories begin with a listing. */
const history = fc
  .tuple(
    fc.constantFrom<readonly Act[]>(
      [],
      ['offerNumber'],
      ['offerNumber', 'list'],
      ['offerNumber', 'list', 'lease'],
      ['offerNumber', 'list', 'lease', 'nearTheEnd'],
      ['offerNumber', 'list', 'offer', 'accept'],
    ),
    fc.nat(2),
    moments,
  )
  .map(([first, how, rest]) => [
    ...first.map((act): Step[] => [{ who: 0, act, how, sense: 1 }]),
    ...rest,
  ]);

const started = app.clock.value;
let made = 0;
/** A number that one of the three companies has at the start. */
async function aNumber(): Promise<string> {
  const n = made++;
  const number = `+1${['833', '844', '855', '866', '877', '888'][n % 6]}${200 + Math.floor(n / 60_000)}${String(n % 10_000).padStart(4, '0')}`;
  const owner = people[n % 3]!;
  await systemCtx(app.services, owner.companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number, label: '' }),
  );
  return number;
}

interface Held {
  company_id: number;
  id: number;
  status: string;
  lease_listing_id: number | null;
  lease_monthly_cents: number | null;
}
interface Listed {
  company_id: number;
  id: number;
  status: string;
  lessee_company_id: number | null;
  lease_monthly_cents: number | null;
  lease_ends_at: Date | null;
  reserved_by_company_id: number | null;
}
async function stateOf(number: string) {
  return app.services.db.systemTransaction(async (tx) => ({
    held: (
      await sql<Held>`select company_id, id, status, lease_listing_id, lease_monthly_cents
        from number where number = ${number} and status <> 'released'`.execute(tx)
    ).rows,
    directory: (
      await sql<{
        company_id: number;
        number_id: number;
      }>`select company_id, number_id from number_directory where number = ${number}`.execute(tx)
    ).rows,
    listings: (
      await sql<Listed>`select * from marketplace_number where number = ${number} and status <> 'withdrawn' order by id`.execute(
        tx,
      )
    ).rows,
  }));
}
type State = Awaited<ReturnType<typeof stateOf>>;

/** A company that may do this: the lister, a buyer, or the one that has the number. */
function whoCould({ who, act }: Step, at: State): TestPerson | undefined {
  const [holder, listing] = [at.held[0], at.listings[0]];
  const of = (companyId: number | null | undefined) =>
    people.find((p) => p.companyId === companyId);
  if (act === 'offerNumber' || act === 'release' || act === 'keep' || act === 'renew')
    return of(holder?.company_id);
  if (act === 'offer' || act === 'reserve' || act === 'lease')
    return (
      of(listing?.reserved_by_company_id) ??
      people.filter((p) => p.companyId !== listing?.company_id)[who % 2]
    );
  return of(listing?.company_id);
}

/** Sessions don't expire, because histories span years. */
const stayIn = () =>
  app.services.db.systemTransaction((tx) =>
    sql`update session set last_seen_at = ${app.clock.value},
      access_expires_at = ${new Date(app.clock.value.getTime() + 86_400_000)},
      refresh_expires_at = ${new Date(app.clock.value.getTime() + 86_400_000)}`.execute(tx),
  );

/** Subscribers run late and repeatedly: all events about the number so far, in order. */
async function deliverEvents(number: string): Promise<void> {
  const { rows } = await sql<{ event: string; company_id: number; data: never }>`
    select event, company_id, data from outbox
    where event in ('number.releasing', 'number.returned') and data ->> 'number' = ${number}
    order by id`.execute(app.services.db.unscoped);
  for (const { event, company_id, data } of rows)
    await systemCtx(app.services, company_id, app.notifier).transaction((t) =>
      event === 'number.releasing' ? unlistReleased(t, data) : returnLeasedNumber(t, data),
    );
}

async function happens(what: Step, number: string, at: State): Promise<number | string> {
  const { who, act, how, sense } = what;
  const me = (sense > 0 && whoCould(what, at)) || people[who]!;
  const as = app.as(me);
  const own = at.listings.find((l) => l.company_id === me.companyId);
  // A listing of any company, so that the others act on it too.
  const listing = at.listings[how % Math.max(1, at.listings.length)];
  const mine = at.held.find((h) => h.company_id === me.companyId);
  const id = own?.id ?? listing?.id ?? 0;
  const params = { id };
  const put = async (body: object) =>
    (await as.request(contract.updateMarketplaceNumber, { params, body })).status;
  const openOffer = async () =>
    (
      await app.services.db.unscoped
        .selectFrom('marketplace_offer')
        .select('id')
        .where('marketplace_id', '=', id)
        .where('status', '=', 'open')
        .orderBy('id')
        .executeTakeFirst()
    )?.id ?? 1;
  const decide = async (decision: 'accept' | 'decline') =>
    (
      await as.request(contract.decideOffer, {
        params: { id, offerId: await openOffer() },
        body: { decision },
      })
    ).status;
  switch (act) {
    case 'offerNumber':
      return (
        await as.request(contract.listOnMarketplace, {
          body: { number_id: mine?.id ?? at.held[0]?.id ?? 1 },
        })
      ).status;
    case 'list':
      return put({
        status: 'listed',
        pricing: {
          type: ['lease', 'make_offer', 'assignment'][how],
          monthly_cents: 1000 * (how + 1),
          setup_cents: 5000,
          minimum_term_months: how + 1,
        },
      });
    case 'price':
      return put({ pricing: { monthly_cents: 7000 + how } });
    case 'draft':
      return put({ status: 'draft' });
    case 'withdraw':
      return put({ status: 'withdrawn' });
    case 'leaseByHand':
      return put({ status: 'leased' });
    case 'notice':
      return (await as.request(contract.endLease, { params, body: {} })).status;
    case 'offer':
      return (
        await as.request(contract.makeOffer, {
          params,
          body: { amount_cents: 2000 + how, term_months: 3, message: '' },
        })
      ).status;
    case 'accept':
      return decide('accept');
    case 'decline':
      return decide('decline');
    case 'reserve':
      return (await as.request(contract.reserveListing, { params, body: {} })).status;
    case 'lease':
      await as.request(contract.reserveListing, { params, body: {} });
      return (
        await as.request(contract.leaseListing, {
          params,
          body: how === 0 ? {} : { term_months: how * 3 },
        })
      ).status;
    case 'renew':
      return (await as.request(contract.renewLease, { params, body: {} })).status;
    case 'release':
    case 'keep':
      return (
        await as.request(numbers.removeNumber, {
          params: { id: mine?.id ?? 1 },
          body: { undo: act === 'keep' },
        })
      ).status;
    case 'hour':
      app.clock.advance(3600 * (how === 2 ? 25 : 1));
      break;
    case 'nearTheEnd':
    case 'toTheEnd': {
      const end = listing?.lease_ends_at
        ? new Date(listing.lease_ends_at).getTime() + (act === 'toTheEnd' ? 1000 : -20 * 86_400_000)
        : 0;
      if (end > app.clock.value.getTime()) app.clock.value = new Date(end);
      break;
    }
    case 'deliver':
      break;
    // A number returned to the carrier leaves this history; a leased one returns to its lister.
    case 'giveBack':
      for (const h of at.held)
        if (h.status === 'releasing' && h.lease_listing_id !== null)
          await returnToCarrier(systemCtx(app.services, h.company_id, app.notifier), {
            numberId: h.id,
          });
      break;
  }
  await stayIn();
  if (act === 'deliver') await deliverEvents(number);
  // Runs the jobs of the clock.
  for (const l of at.listings)
    await systemCtx(app.services, l.company_id, app.notifier).transaction(async (t) => {
      await lockListing(t, l.id);
      await endLease(t, l.id, 'term');
    });
  return 'clock';
}

/**
 * Exactly one company has the number, and each lease is paid by exactly the company that has it by
 * that lease.
 */
function check(number: string, { held, directory, listings }: State): void {
  expect(held, `${number} has one holder`).toHaveLength(1);
  const [holder] = held;
  expect(directory, `calls to ${number} reach its holder`).toEqual([
    { company_id: holder!.company_id, number_id: holder!.id },
  ]);
  for (const l of listings.filter((x) => x.status === 'leased')) {
    expect(holder, `the payer of lease ${l.id} has the number`).toMatchObject({
      company_id: l.lessee_company_id,
      lease_listing_id: l.id,
      lease_monthly_cents: l.lease_monthly_cents,
    });
  }
  if (holder!.lease_listing_id !== null)
    expect(
      listings.filter((l) => l.status === 'leased').map((l) => l.id),
      `${number} is held by one lease`,
    ).toEqual([holder!.lease_listing_id]);
  for (const l of listings.filter((x) => x.status !== 'leased')) {
    expect(
      [l.lessee_company_id, l.lease_monthly_cents],
      `listing ${l.id} is not leased, so nobody pays for it`,
    ).toEqual([null, null]);
    if (l.status !== 'draft')
      expect(holder, `what listing ${l.id} offers is its lister's`).toMatchObject({
        company_id: l.company_id,
        lease_listing_id: null,
      });
  }
}

/** After its release is delivered, no listing offers the number. */
function checkNotOffered(number: string, { held, listings }: State): void {
  if (held[0]?.status === 'releasing')
    expect(
      listings.filter((l) => !['draft', 'leased'].includes(l.status)),
      `${number} is being released, so nothing offers it`,
    ).toEqual([]);
}

test(
  `in ${histories} random histories of three companies every number has one holder and every lease one payer`,
  async () => {
    const outcomes = new Map<string, number>();
    const began = performance.now();
    await fc.assert(
      fc.asyncProperty(history, async (happenings) => {
        const number = await aNumber();
        if (made % 500 === 0)
          console.log(
            `${made} histories after ${Math.round((performance.now() - began) / 1000)} s`,
          );
        app.clock.value = started;
        await stayIn();
        for (const moment of happenings) {
          const before = await stateOf(number);
          const came = await Promise.all(moment.map((one) => happens(one, number, before)));
          moment.forEach((one, i) => {
            const key = `${one.act} ${came[i]}`;
            outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
          });
          expect(came.filter((status) => typeof status === 'number' && status >= 500)).toEqual([]);
          const after = await stateOf(number);
          check(number, after);
          if (moment.length === 1 && moment[0]?.act === 'deliver') checkNotOffered(number, after);
        }
      }),
      { numRuns: histories, seed, endOnFailure: true },
    );
    // Every kind of step occurred.
    if (histories >= 1000)
      for (const wanted of [
        'lease 200',
        'renew 200',
        'notice 200',
        'accept 200',
        'release 200',
        'leaseByHand 200',
        'withdraw 200',
      ])
        expect([wanted, outcomes.get(wanted) ?? 0]).not.toEqual([wanted, 0]);
    if (histories >= 1000) console.log(Object.fromEntries([...outcomes].sort()));
  },
  Math.max(600_000, histories * 2000),
);
