import { afterAll, describe, expect, it } from 'vitest';
import { settings, tracking as contract, type Query } from '#contract';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { openSocket, type LiveSocket } from '../../../../test/support/live-socket.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { flushHits, send, site, trackedSite } from '../../../../test/support/tracking-site.ts';

const { world: app, aCall } = await createCallHarness();
const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
// The relay runs from here on.
await app.drainJobs();
const sockets: LiveSocket[] = [];
afterAll(() => sockets.forEach((socket) => socket.close()));

const minutes = (n: number) => app.clock.advance(n * 60);
const ad = `${site}/implants?gclid=Ea1&utm_campaign=implants&email=ann@example.com`;
const read = async (
  person: TestPerson,
  query: Partial<Query<typeof contract.realTimeFeed>> = {},
  companyId = person.companyId,
) => app.as(person).request(contract.realTimeFeed, { params: { companyId }, query });
const rowsOf = async (...given: Parameters<typeof read>) => {
  const answer = await read(...given);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const typesOf = async (...given: Parameters<typeof read>) =>
  (await rowsOf(...given)).map(({ type }) => type);
const listen = async (person: TestPerson, companyId = person.companyId) => {
  const socket = await openSocket(address, person.token, [`private-companies.${companyId}`]);
  sockets.push(socket);
  return socket;
};
const feedIn = ({ heard }: LiveSocket) =>
  heard.filter(({ event }) => event === 'dni-feed').map(({ data }) => data as contract.FeedRow);
/** What a socket heard up to a row of the feed that comes after everything before. */
async function heardUpTo(socket: LiveSocket, isLast: (row: contract.FeedRow) => boolean) {
  await socket.hears(({ event, data }) => event === 'dni-feed' && isLast(data as contract.FeedRow));
  return feedIn(socket);
}
const pageView = (sessionId: string | null, swapped: number) =>
  send(app, contract.addPageView, { sessionId: sessionId ?? '', url: `${site}/implants`, swapped });
const ring = async (number: string, from: string) => {
  const call = aCall(number, from);
  await call.tell(call.inbound);
  return call.id();
};

describe('the live feed', () => {
  it('tells of a visit from its beginning to the call it makes, and of its end', async () => {
    const shop = await trackedSite(app, 2);
    expect(await rowsOf(shop.owner)).toEqual([]);
    const visit = await shop.open({ url: ad });
    app.clock.advance(2);
    await pageView(visit.sessionId, 3);
    await flushHits(app);
    app.clock.advance(60);
    await send(app, contract.continueVisit, { sessionId: visit.sessionId ?? '' });
    app.clock.advance(1);
    const callId = await ring(visit.number, '+12125559123');
    const rows = await rowsOf(shop.owner);
    expect(rows.map(({ type }) => type)).toEqual(['call', 'heartbeat', 'swap', 'session_started']);
    const facts = {
      poolId: shop.pool.id,
      number: visit.number,
      source: { key: 'google_ads', label: 'Google Ads' },
      campaign: 'implants',
      // What else the address says may be about the person.
      page: `${site}/implants`,
      device: 'desktop',
    };
    for (const row of rows) expect(row).toMatchObject(facts);
    expect(rows[0]).toMatchObject({ caller: '+12125559123', subjectId: callId });
    minutes(40);
    expect(await typesOf(shop.owner)).toEqual([
      ...['session_ended', 'call', 'heartbeat', 'swap', 'session_started'],
    ]);
    expect((await rowsOf(shop.owner))[0]?.at).toBe(
      new Date(new Date(rows[1]!.at).getTime() + 30 * 60_000).toISOString(),
    );
  });

  it('says when no number was free, and which number a source always sees', async () => {
    const shop = await trackedSite(app, 1);
    await shop.open();
    app.clock.advance(1);
    const second = await shop.open();
    expect((await rowsOf(shop.owner)).slice(0, 2)).toMatchObject([
      { type: 'session_started', number: null },
      { type: 'exhausted', number: null },
    ]);
    expect(second.number).not.toBe('');
    const fixed = await trackedSite(app, 1, { mode: 'source', sourceIds: [1] });
    const { number } = await fixed.open({ url: ad });
    expect(await rowsOf(fixed.owner)).toMatchObject([{ type: 'session_started', number }]);
  });

  it('is filtered by kind, pool, source and website', async () => {
    const shop = await trackedSite(app, 3);
    await shop.open({ url: ad });
    const direct = await shop.open();
    await ring(direct.number, '+12125559124');
    expect(await typesOf(shop.owner, { types: ['call'] })).toEqual(['call']);
    expect(await typesOf(shop.owner, { types: ['swap', 'heartbeat'] })).toEqual([]);
    expect(await typesOf(shop.owner, { source: 'google_ads' })).toEqual(['session_started']);
    expect(await typesOf(shop.owner, { poolId: shop.pool.id })).toHaveLength(3);
    expect(await typesOf(shop.owner, { poolId: shop.pool.id + 1 })).toEqual([]);
    expect(await typesOf(shop.owner, { site: 'WWW.shop.example' })).toHaveLength(3);
    expect(await typesOf(shop.owner, { site: 'shop.example' })).toEqual([]);
    expect((await read(shop.owner, { site: '%_\u0000' })).status).toBeLessThan(500);
  });

  it('answers with a hundred rows at most, the newest first', async () => {
    const shop = await trackedSite(app, 1);
    for (let i = 0; i < 70; i++) {
      await shop.open({ url: `${site}/${i}` });
      app.clock.advance(1);
    }
    const rows = await rowsOf(shop.owner);
    expect(rows).toHaveLength(100);
    expect(rows[0]?.page).toBe(`${site}/69`);
    expect(rows.map(({ at }) => at)).toEqual(
      rows
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
  });

  it('is the same live, told once each', async () => {
    const shop = await trackedSite(app, 1);
    const socket = await listen(shop.owner);
    const visit = await shop.open({ url: ad });
    await shop.open();
    // A page of the same visit begins nothing.
    await shop.open({ sessionId: visit.sessionId, visitorId: visit.visitorId });
    await pageView(visit.sessionId, 3);
    await pageView(visit.sessionId, 3);
    await flushHits(app);
    await ring(visit.number, '+12125559125');
    const heard = await heardUpTo(socket, ({ type }) => type === 'call');
    const read = await rowsOf(shop.owner);
    expect(heard).toHaveLength(5);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(5);
    for (const row of heard) expect(read).toContainEqual(row);
  });
});

describe('who gets the live feed', () => {
  it('no one of another company, and no one without the permission', async () => {
    const [mine, theirs] = [await trackedSite(app, 1), await trackedSite(app, 1)];
    const billing = await app.createPerson(mine.owner.companyId, 'billing');
    expect((await read(billing)).status).toBe(403);
    expect((await read(theirs.owner, {}, mine.owner.companyId)).status).toBe(404);
    const [unpaid, foreign] = [await listen(billing), await listen(theirs.owner)];
    const visit = await mine.open();
    await flushHits(app);
    await ring(visit.number, '+12125559126');
    await theirs.open();
    await flushHits(app);
    // Of the same call, the other event is everyone's.
    await unpaid.hears(({ event }) => event === 'tracking.matched');
    expect(feedIn(unpaid)).toEqual([]);
    const heard = await heardUpTo(foreign, () => true);
    expect(heard.map(({ poolId }) => poolId)).toEqual([theirs.pool.id]);
    expect((await rowsOf(theirs.owner)).map(({ poolId }) => poolId)).toEqual([theirs.pool.id]);
  });

  it('people who are limited to numbers get what happens on those', async () => {
    const shop = await trackedSite(app, 2);
    const [first, second] = [await shop.open(), await shop.open()];
    const idOf = (number: string) => shop.pool.numbers.find((one) => one.number === number)!.id;
    const limited = await app.createPerson(shop.owner.companyId, 'user', [idOf(second.number)]);
    const socket = await listen(limited);
    // No number is free for the third visitor.
    await shop.open();
    await pageView(first.sessionId, 1);
    await flushHits(app);
    await ring(first.number, '+12125559127');
    await ring(second.number, '+12125559128');
    const heard = await heardUpTo(socket, ({ type }) => type === 'call');
    expect(new Set(heard.map(({ number }) => number))).toEqual(new Set([second.number]));
    expect(heard.filter(({ type }) => type === 'call')).toHaveLength(1);
    const rows = await rowsOf(limited);
    expect(rows.map(({ number }) => number)).toEqual([second.number, second.number]);
    expect(rows.map(({ type }) => type).sort()).toEqual(['call', 'session_started']);
    expect(await typesOf(shop.owner)).toHaveLength(7);
  });

  it('callers are masked for people who may not see contact details, live as in the answer', async () => {
    const shop = await trackedSite(app, 1);
    const user = await app.createPerson(shop.owner.companyId, 'user');
    await app.as(shop.owner).request(settings.updateGeneralSettings, {
      query: { companyId: shop.owner.companyId },
      body: { mask_contact_details_for_users: true },
    });
    const socket = await listen(user);
    const visit = await shop.open();
    await ring(visit.number, '+12125559129');
    const [live] = (await heardUpTo(socket, ({ type }) => type === 'call')).slice(-1);
    const [read] = await rowsOf(user, { types: ['call'] });
    expect(live).toEqual(read);
    // The number that was called is the company's own.
    expect(read).toMatchObject({ number: visit.number, caller: '+1212•••29' });
    expect(await rowsOf(shop.owner, { types: ['call'] })).toMatchObject([
      { caller: '+12125559129' },
    ]);
  });
});
