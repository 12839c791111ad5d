import { describe, expect, it, test } from 'vitest';
import { numbers, tracking as contract, type Query } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import {
  aSite,
  flushHits,
  numberIn,
  send,
  site,
  type Site,
} from '../../../../test/support/tracking-site.ts';

const app = await createTestApp();
type Asked = Query<typeof numbers.numberTimelineEvents>;

const timelineOf = async (who: TestPerson, number: string, query: Partial<Asked> = {}) => {
  const { status, body } = await app.as(who).request(numbers.numberTimelineEvents, {
    params: { companyId: who.companyId, number },
    query: query as Asked,
  });
  expect(status).toBe(200);
  return { events: body.data[number] ?? [], next: body.meta.next_cursor };
};
const swap = async (sessionId: string | null) => {
  await send(app, contract.addPageView, {
    ...{ sessionId: sessionId ?? '', url: `${site}/implants`, swapped: 1 },
  });
  await flushHits(app);
};
const visitors = ['lease_started', 'lease_ended', 'swap_seen'] as const;

describe('the timeline of a number in a pool', () => {
  it('says who was shown it, on which page, and until when', async () => {
    const shop = await aSite(app, 1);
    const visit = await shop.open({ url: `${site}/implants?gclid=Ea1&utm_campaign=Implants` });
    const number = numberIn(visit)!;
    app.clock.advance(5);
    await swap(visit.body.data.sessionId);
    const began = await timelineOf(shop.owner, number, { types: [...visitors] });
    expect(began.events.map(({ type, summary }) => [type, summary])).toEqual([
      ['swap_seen', `Swapped on ${site}/implants`],
      ['lease_started', 'Shown to a visitor from Google Ads, Implants'],
    ]);
    expect(began.events[1]!.after).toMatchObject({ poolId: shop.pool.id, source: 'Google Ads' });
    app.clock.advance(31 * 60);
    const { events } = await timelineOf(shop.owner, number);
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
      ...['lease_ended', 'swap_seen', 'lease_started', 'pool_joined'],
    ]);
    expect(events[0]!.summary).toBe('No longer shown, after 30:05');
    const { body } = await app.as(shop.owner).request(numbers.numberTimelineMetaData, {
      params: { companyId: shop.owner.companyId, number },
    });
    expect(body.data.event_count).toBe(events.length);
    expect(body.meta.lastActivity).toMatchObject({ type: 'lease_ended' });
  });

  it('has the pages that showed a number that is always its source’s', async () => {
    const shop = await aSite(app, 1, { mode: 'source' });
    const visit = await shop.open({ url: `${site}/implants?gclid=Ea1` });
    const number = numberIn(visit)!;
    await swap(visit.body.data.sessionId);
    const { events } = await timelineOf(shop.owner, number, { types: [...visitors] });
    expect(events.map(({ type }) => type)).toEqual(['swap_seen']);
  });
});

/** Leases of one number that overlap as shared ones do, some of them with a page that showed it. */
const plantLeases = async (shop: Site, many: number, shared: boolean) => {
  const now = app.clock.value.getTime();
  const numberId = shop.pool.numbers[0]!.id;
  const minutes = (n: number) => new Date(now - n * 60_000);
  for (let i = 1; i <= many; i++) {
    const begins = i * 7;
    // Each third of the shared ones is as long as a lease can be.
    const lasts = shared ? (i % 3 === 0 ? 720 : 2 + ((i * 37) % 200)) : 6;
    const ends = minutes(begins - lasts);
    await app.services.db.pool.query(
      `with visit as (insert into tracking_visit (company_id, id, pool_id, visitor_id, started_at,
          last_seen_at, url, source_id, source_key, source_label, rule_id, evidence, device, outcome,
          lease_id, swapped_at)
        values ($1, $2::bigint, $3, 'v', $4, $4, 'https://www.shop.example/', 1, 'google_ads', 'Google Ads',
          'click.gclid', 'gclid', 'mobile', 'leased', $2::bigint + 1000, $5))
       insert into tracking_lease (company_id, id, pool_id, number_id, session_id, visitor_id,
         is_shared, started_at, last_seen_at, expires_at, ends_at)
       values ($1, $2::bigint + 1000, $3, $6, $2::bigint, 'v', true, $4, $4, $7, $7)`,
      [
        ...[shop.owner.companyId, i, shop.pool.id, minutes(begins)],
        ...[i % 4 === 0 ? minutes(begins - 1) : null, numberId, ends],
      ],
    );
  }
  return shop.pool.numbers[0]!.number;
};

test.each([[false], [true]])(
  'pages have every entry once, in order; shared: %s',
  async (shared) => {
    const shop = await aSite(app, 1);
    const number = await plantLeases(shop, 900, shared);
    const now = app.clock.value.getTime();
    for (const types of [
      [...visitors],
      ['swap_seen' as const],
      ['lease_ended' as const],
      undefined,
    ]) {
      const read: { id: number; at: string; type: string }[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof timelineOf>> = await timelineOf(shop.owner, number, {
          ...(types && { types }),
          ...{ limit: 200, ...(cursor && { cursor }) },
        });
        read.push(...page.events);
        cursor = page.next;
      } while (cursor);
      const places = read.map(({ at, id }) => [Date.parse(at), id] as const);
      expect(places).toEqual([...places].sort((a, b) => b[0] - a[0] || b[1] - a[1]));
      expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
      const isRead = (type: (typeof visitors)[number]) =>
        !types || types.some((one) => one === type);
      const of = (type: string) => read.filter((one) => one.type === type).length;
      if (isRead('lease_started')) expect(of('lease_started')).toBe(900);
      if (isRead('swap_seen')) expect(of('swap_seen')).toBe(225);
      expect(read.every(({ at }) => Date.parse(at) <= now)).toBe(true);
      if (isRead('lease_ended')) expect(of('lease_ended')).toBe(shared ? await endedOf(shop) : 900);
    }
  },
);
const endedOf = async ({ rows, pool }: Site): Promise<number> =>
  Number(
    (
      await rows(
        `select count(*) n from tracking_lease where company_id = $1
           and number_id = ${pool.numbers[0]!.id} and expires_at <= '${app.clock.value.toISOString()}'`,
      )
    )[0].n,
  );
