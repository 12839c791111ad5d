import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { calls, conversations as contract } from '#contract';
import { createCallHarness } from '../../../test/support/call-harness.ts';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import { site, trackedSite } from '../../../test/support/tracking-site.ts';

const harness = await createCallHarness();
const { world: app, aCall } = harness;
const inbox = inboxHelpers(app);
const minutes = (n: number) => app.clock.advance(n * 60);
const ad = `${site}/implants?gclid=Ea1&utm_campaign=implants&utm_term=dental+implants`;
const aSite = (size: number, settings: Parameters<typeof trackedSite>[2] = {}) =>
  trackedSite(app, size, settings);
type Site = Awaited<ReturnType<typeof aSite>>;

const conversationOf = async ({ owner }: Site, phone: string) =>
  (await inbox.list(owner, { perPage: 50 })).data.find(({ recipient }) => recipient === phone)!;
/** The items of the conversation with this phone, the oldest first. */
const itemsOf = async (shop: Site, phone: string) =>
  (await inbox.items(shop.owner, (await conversationOf(shop, phone)).id)).toReversed();
const matchesOf = async (shop: Site, phone: string) =>
  (await itemsOf(shop, phone)).flatMap((item) => (item.kind === 'trackingmatch' ? [item] : []));
const stored = async ({ owner }: Site) =>
  (
    await app.services.db.pool.query(
      `select kind, subject_id, party, label, source_key from tracking_match
       where company_id = $1 order by id`,
      [owner.companyId],
    )
  ).rows;
const eventsOf = async ({ owner }: Site, name: string) =>
  (
    await app.services.db.pool.query(
      'select data from outbox where company_id = $1 and event = $2 order by id',
      [owner.companyId, name],
    )
  ).rows.map(({ data }) => data);

describe('a text to the number that one visitor sees', () => {
  it('is that visitor’s, and its conversation says so down to the facts', async () => {
    const shop = await aSite(1);
    const { number } = await shop.open({ url: ad });
    const phone = uniquePhone();
    minutes(2);
    expect(await inbox.text(phone, number, 'Do you have time today?')).toBe('stored');
    const [text, match] = await itemsOf(shop, phone);
    expect(text).toMatchObject({ kind: 'message' });
    expect(match).toMatchObject({
      kind: 'trackingmatch',
      isInbound: true,
      details: {
        source: 'Google Ads',
        sourceKey: 'google_ads',
        medium: 'cpc',
        campaign: 'implants',
        keyword: 'dental implants',
        // Without its query.
        landingUrl: `${site}/implants`,
        confidence: 100,
        matchLabel: 'exact',
        callId: null,
      },
    });
    expect(match?.kind === 'trackingmatch' && match.details.evidence).toMatchObject([
      { fact: 'number_shown' },
      { fact: 'page_last_open' },
      { fact: 'source_rule', value: 'gclid' },
    ]);
    expect(await stored(shop)).toEqual([
      {
        kind: 'text',
        subject_id: text!.id,
        party: phone,
        label: 'exact',
        source_key: 'google_ads',
      },
    ]);
    // Open inboxes and other modules hear of it.
    expect((await eventsOf(shop, 'conversation-updated')).map(({ item }) => item.kind)).toEqual([
      'message',
      'trackingmatch',
    ]);
    expect(await eventsOf(shop, 'tracking.matched')).toMatchObject([
      { kind: 'text', subjectId: text!.id, source: { key: 'google_ads' } },
    ]);
    // The list shows what they wrote and counts one text.
    expect(await conversationOf(shop, phone)).toMatchObject({
      latestItem: { type: 'message' },
      numUnreadItems: 1,
    });
  });

  it('is shown once for each visit, however many texts come', async () => {
    const shop = await aSite(1, { quarantineMinutes: 0 });
    const phone = uniquePhone();
    const first = await shop.open({ url: ad });
    await Promise.all(['One', 'Two', 'Three'].map((word) => inbox.text(phone, first.number, word)));
    await inbox.text(phone, first.number, 'Four');
    minutes(26 * 60);
    const { number } = await shop.open({ url: `${site}/`, referrer: 'https://www.bing.com/' });
    await inbox.text(phone, number, 'Five');
    expect((await matchesOf(shop, phone)).map(({ details }) => details.sourceKey)).toEqual([
      'google_ads',
      'bing_organic',
    ]);
    expect((await stored(shop)).length).toBe(5);
  });

  it('is stored also if it can’t be matched', async () => {
    const shop = await aSite(1);
    const { number } = await shop.open({ url: ad });
    const phone = uniquePhone();
    const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
    await owner.connect();
    const broken = async (breakIt: string, mendIt: string, word: string) => {
      await owner.query(breakIt);
      try {
        expect(await inbox.text(phone, number, word)).toBe('stored');
      } finally {
        await owner.query(mendIt);
      }
    };
    await broken(
      'alter table tracking_lease rename to away',
      'alter table away rename to tracking_lease',
      'not looked up',
    );
    await broken(
      'alter table tracking_match rename column party to away',
      'alter table tracking_match rename column away to party',
      'not stored',
    );
    await owner.end();
    expect((await itemsOf(shop, phone)).map(({ kind }) => kind)).toEqual(['message', 'message']);
    expect(await eventsOf(shop, 'conversation-updated')).toHaveLength(2);
    await inbox.text(phone, number, 'all is well again');
    expect(await matchesOf(shop, phone)).toHaveLength(1);
  });
});

it('a caller of before is known when they text, and a call is in the thread once, too', async () => {
  const shop = await aSite(2, { attributionWindowHours: 0, stickyDays: 0 });
  const visit = await shop.open({ url: ad });
  const phone = uniquePhone();
  const call = aCall(visit.number, phone);
  await call.tell(call.inbound);
  const callId = await call.id();
  await app.drainJobs();
  expect(await matchesOf(shop, phone)).toMatchObject([
    { details: { sourceKey: 'google_ads', callId, evidence: [{ fact: 'number_shown' }, {}, {}] } },
  ]);
  await inbox.text(phone, visit.number, 'I just called');
  expect(await matchesOf(shop, phone)).toHaveLength(1);
  minutes(3 * 24 * 60);
  await inbox.text(phone, visit.number, 'Hello again');
  expect((await stored(shop)).map(({ kind, label }) => [kind, label])).toEqual([
    ['call', 'exact'],
    ['text', 'exact'],
    ['text', 'returning'],
  ]);
});

it('nothing is shown of numbers in no pool, unknown sources and blocked people', async () => {
  const shop = await aSite(1);
  const { number } = await inbox.number(shop.owner.companyId);
  const [stranger, other] = [uniquePhone(), uniquePhone()];
  await inbox.text(stranger, number, 'Hello');
  await inbox.text(other, shop.pool.numbers[0]!.number, 'Hello');
  expect(await matchesOf(shop, stranger)).toEqual([]);
  expect(await matchesOf(shop, other)).toEqual([]);
  expect(await stored(shop)).toMatchObject([{ party: other, source_key: 'unknown' }]);
  const visit = await shop.open({ url: ad });
  await app.services.db.pool.query(
    'insert into block (company_id, target, action) values ($1, $2, 1)',
    [shop.owner.companyId, stranger],
  );
  await inbox.text(stranger, visit.number, 'Hello');
  expect(await stored(shop)).toHaveLength(1);
});

it('another company’s visitors and callers never decide, and it can’t read the conversation', async () => {
  const [mine, theirs] = [await aSite(1), await aSite(1)];
  const phone = uniquePhone();
  const visit = await mine.open({ url: ad });
  await inbox.text(phone, visit.number, 'Hello');
  await inbox.text(phone, theirs.pool.numbers[0]!.number, 'Hello');
  expect(await matchesOf(theirs, phone)).toEqual([]);
  expect(await stored(theirs)).toMatchObject([{ source_key: 'unknown' }]);
  const { id } = await conversationOf(mine, phone);
  const refused = await app.as(theirs.owner).request(contract.listConversationItems, {
    params: { companyId: theirs.owner.companyId, id },
  });
  expect(refused.status).toBe(404);
});

describe('who answers a call hears its source first', () => {
  const answered = async (whisperSource: boolean, url: string) => {
    const shop = await aSite(1, { whisperSource });
    const desk = uniquePhone();
    const [slot] = shop.pool.numbers;
    await app.services.db.pool.query(
      `with made as (update route set type = 'standard', confirm_whisper = 'For the front desk.'
         where company_id = $1 and number_id = $2 returning id)
       insert into forward (company_id, route_id, position, label, phone)
         select $1, id, 0, 'Desk', $3 from made`,
      [shop.owner.companyId, slot!.id, desk],
    );
    const { number } = await shop.open({ url });
    const call = aCall(number, uniquePhone());
    await call.tell(call.inbound);
    const leg = harness.ringing(call, desk);
    await harness.tellOf(call.leg, leg, { type: 'legAnswered' });
    const whispers = harness.commands(call, 'whisper').map(({ prompts }) => prompts);
    const { body } = await app
      .as(shop.owner)
      .request(calls.getCall, { params: { id: await call.id() } });
    expect(body.data.source?.key).toBeDefined();
    return whispers;
  };
  const say = (text: string) => expect.objectContaining({ kind: 'say', text });

  it('where the pool asks for it', async () => {
    expect(await answered(true, ad)).toEqual([
      [say('Source: Google Ads.'), say('For the front desk.')],
    ]);
  });
  it('and not otherwise', async () => {
    expect(await answered(false, ad)).toEqual([[say('For the front desk.')]]);
  });
});
