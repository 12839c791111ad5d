import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { calls, conversations as contract, exporting, search, type Body } from '#contract';
import { addInboxView } from '#contract/conversations/team/endpoints';
import { createCallHarness } from '../../../test/support/call-harness.ts';
import { inboxHelpers, uniquePhone } from '../../../test/support/inbox.ts';
import type { TestPerson } from '../../../test/support/test-app.ts';
import { site, trackedSite } from '../../../test/support/tracking-site.ts';

/**
 * Two callers and two texters of one company, each from another advertisement, and one who came from
 * none; the same in another company.
 */
const { world: app, aCall } = await createCallHarness();
const inbox = inboxHelpers(app);
const ad = `${site}/implants?gclid=Ea1&utm_campaign=Implants+2026&utm_term=dental+implants`;
const [caller, searcher, texter, mailed, other] = Array.from({ length: 5 }, uniquePhone);

/** The first caller leaves one. */
async function leaveVoicemail({ companyId }: TestPerson) {
  const [call] = (
    await app.services.db.pool.query(
      'select id, number_id, source from call where company_id = $1 and party = $2',
      [companyId, caller],
    )
  ).rows as { id: string; number_id: string; source: never }[];
  const at = app.clock.value.toISOString();
  await inbox.inCompany(companyId).transaction((t) =>
    t.publish(calls.voicemailReceived, {
      ...{ callId: Number(call!.id), numberId: Number(call!.number_id), party: caller! },
      ...{ outbound: false, contactId: null, startedAt: at, source: call!.source },
      ...{ voicemailId: 9, durationSeconds: 12, fileId: 77, receivedAt: at, alertEmails: [] },
    }),
  );
  await app.drainJobs();
}

const aWorld = async () => {
  const shop = await trackedSite(app, 4);
  const line = await inbox.number(shop.owner.companyId);
  const ring = async (number: string, from: string) => {
    const call = aCall(number, from);
    await call.tell(call.inbound);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    await app.drainJobs();
  };
  const visit = async (url: string, referrer?: string) =>
    (await shop.open({ url, ...(referrer && { referrer }) })).number;
  const again = await shop.open({ url: `${site}/prices`, referrer: 'https://www.bing.com/' });
  app.clock.advance(3600);
  await ring(
    (await shop.open({ url: ad, ...(again.visitorId && { visitorId: again.visitorId }) })).number,
    caller!,
  );
  await ring(await visit(`${site}/prices`, 'https://www.bing.com/'), searcher!);
  await inbox.text(texter!, await visit(ad), 'Hello from an ad');
  await inbox.text(
    mailed!,
    await visit(`${site}/prices?utm_source=news&utm_medium=email&utm_campaign=spring`),
    'Hello from a mail',
  );
  await inbox.text(other!, line.number, 'Hello from nowhere');
  await leaveVoicemail(shop.owner);
  return shop.owner;
};
const owner = await aWorld();
await aWorld();

type Filter = Extract<Body<typeof contract.listActivity>['groups'][number], unknown[]>[number];
const found = async (
  filter: Filter,
  types: ('call' | 'message' | 'voicemail')[] = ['call', 'message'],
) => {
  const { status, body } = await app.as(owner).request(contract.listActivity, {
    body: { companyId: owner.companyId, types, groups: [[filter]], perPage: 50 },
  });
  expect(status).toBe(200);
  return body.data.map(({ recipient }) => recipient).sort();
};
const sorted = (...phones: (string | undefined)[]) => phones.map(String).sort();

describe('activity', () => {
  test.each<[Filter, string[]]>([
    [{ field: 'source', op: 'eq', value: 'google_ads' }, sorted(caller, texter)],
    [{ field: 'source', op: 'in', value: ['email', 'bing_organic'] }, sorted(searcher, mailed)],
    [{ field: 'source', op: 'ne', value: 'google_ads' }, sorted(searcher, mailed, other)],
    [{ field: 'source', op: 'eq', value: 'yelp' }, []],
    [{ field: 'medium', op: 'eq', value: 'CPC' }, sorted(caller, texter)],
    [{ field: 'source_campaign', op: 'contains', value: 'implants' }, sorted(caller, texter)],
    [{ field: 'source_campaign', op: 'contains', value: '%' }, []],
    [{ field: 'keyword', op: 'eq', value: 'Dental implants' }, sorted(caller, texter)],
    [{ field: 'landing_page', op: 'contains', value: '/prices' }, sorted(searcher, mailed)],
    // The query of an address isn't kept with a call or text.
    [{ field: 'landing_page', op: 'contains', value: 'gclid' }, []],
  ])('%o', async (filter, phones) => {
    expect(await found(filter)).toEqual(phones);
  });

  test('a voicemail is found by where its call came from', async () => {
    const by = (value: string) => found({ field: 'source', op: 'eq', value }, ['voicemail']);
    expect(await by('google_ads')).toEqual([caller]);
    expect(await by('bing_organic')).toEqual([]);
    const words: Filter = { field: 'keyword', op: 'contains', value: 'implants' };
    expect(await found(words, ['voicemail'])).toEqual([caller]);
  });

  test('within calls or texts alone', async () => {
    const ads: Filter = { field: 'source', op: 'eq', value: 'google_ads' };
    expect(await found(ads, ['call'])).toEqual([caller]);
    expect(await found(ads, ['message'])).toEqual([texter]);
  });
});

test('calls are searched by source', async () => {
  const ask = async (who: TestPerson, query: { q?: string; sources: string[] }) =>
    (
      await app
        .as(who)
        .request(search.searchCalls, { query: { companyId: who.companyId, ...query } })
    ).body.data.map(({ call }) => call.from);
  const q = caller!.slice(-7);
  expect(await ask(owner, { q, sources: ['google_ads'] })).toEqual([caller]);
  expect(await ask(owner, { q, sources: ['bing_organic'] })).toEqual([]);
});

test.each([
  ['source:google', () => sorted(caller, texter)],
  ['source:"implants 2026"', () => sorted(caller, texter)],
  ['source:/prices', () => sorted(searcher, mailed)],
  ['source:email mail', () => sorted(mailed)],
  ['source:yelp', () => []],
])('the inbox is searched by %s', async (words, phones) => {
  const { data } = await inbox.list(owner, { search: words, perPage: 50 });
  expect(data.map(({ recipient }) => recipient).sort()).toEqual(phones());
  const items = await app.as(owner).request(contract.listInboxItems, {
    query: { companyId: owner.companyId, search: words, perPage: 50 },
  });
  expect([...new Set(items.body.data.map(({ recipient }) => recipient))].sort()).toEqual(phones());
  expect(items.body.data.map(({ kind }) => kind)).not.toContain('trackingmatch');
});

test.each([
  [['google_ads'], {}, () => sorted(caller, texter)],
  [['google_ads', 'email'], {}, () => sorted(caller, texter, mailed)],
  [['google_ads'], { types: ['voicemail' as const] }, () => sorted(caller)],
  [['google_ads'], { search: 'hello' }, () => sorted(texter)],
  [['yelp'], {}, () => []],
])('the inbox is filtered by the sources %o and %o', async (sources, more, phones) => {
  const query = { sources, perPage: 50, ...more };
  const { data } = await inbox.list(owner, query);
  expect(data.map(({ recipient }) => recipient).sort()).toEqual(phones());
  const items = await app.as(owner).request(contract.listInboxItems, {
    query: { companyId: owner.companyId, ...query },
  });
  expect([...new Set(items.body.data.map(({ recipient }) => recipient))].sort()).toEqual(phones());
  expect(items.body.data.map(({ kind }) => kind)).not.toContain('trackingmatch');
});

test('a saved view keeps its source and counts by it', async () => {
  const { status, body } = await app.as(owner).request(addInboxView, {
    body: { companyId: owner.companyId, name: 'Ads', filters: { sources: ['google_ads'] } },
  });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  expect(body.data).toMatchObject({ filters: { sources: ['google_ads'] }, count: 2 });
});

const sourceColumns = [
  'source',
  'medium',
  'source_campaign',
  'keyword',
  'landing_page',
  'visits',
] as const;
test.each([
  ['calls', () => caller],
  ['texts', () => texter],
] as const)('an export of %s says where they came from', async (what, phone) => {
  const begun = await app
    .as(owner)
    .request(what === 'calls' ? exporting.exportCalls : exporting.exportMessages, {
      body: { companyId: owner.companyId, columns: ['party', ...sourceColumns] },
    });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  await app.drainJobs();
  const done = await app.as(owner).request(exporting.exportProgress, {
    params: { batchId: begun.body.data.batchId },
    query: { companyId: owner.companyId },
  });
  const file = await app.server.inject({
    method: 'GET',
    url: done.body.data.resultUrl!,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const rows = parse(file.body, { bom: true }) as string[][];
  expect(rows[0]!.slice(1)).toEqual([
    'Source',
    'Medium',
    'Campaign',
    'Keyword',
    'Landing page',
    'Visits',
  ]);
  expect(rows.find(([party]) => party === phone())!.slice(1)).toEqual([
    'Google Ads',
    'cpc',
    'Implants 2026',
    'dental implants',
    `${site}/implants`,
    what === 'calls' ? '2' : '1',
  ]);
  expect(rows.filter(([party]) => party === other).every((row) => row[1] === '')).toBe(true);
});
