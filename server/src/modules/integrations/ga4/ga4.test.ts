import { beforeEach, expect, test } from 'vitest';
import { ga4 as contract, integrations, type BodyIn } from '#contract';
import type { OutboundRequest } from '../../../gateways/outbound.ts';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';

/** Google as its reference describes it: the live address says 204 to everything. */
const asked: OutboundRequest[] = [];
const collected: Record<string, unknown>[] = [];
let refusal: { fieldPath: string; description: string; validationCode: string }[] = [];
let isAway = false;
const { world: app, aCall } = await createCallHarness({
  env: { CODES_PER_HOUR: '1000' },
  ports: {
    outbound: {
      name: 'public',
      send: async (request) => {
        asked.push(request);
        if (isAway) return { status: null, error: 'The receiver can’t be reached (ENOTFOUND).' };
        const isCheck = new URL(request.url).pathname === '/debug/mp/collect';
        if (!isCheck) collected.push(JSON.parse(request.body));
        return {
          status: isCheck ? 200 : 204,
          body: isCheck ? JSON.stringify({ validationMessages: refusal }) : '',
          retryAfterSeconds: null,
        };
      },
    },
  },
});
beforeEach(() => {
  asked.length = 0;
  collected.length = 0;
  refusal = [];
  isAway = false;
});

type Body = BodyIn<typeof contract.createGa4Integration>;
const apiSecret = 'sesame_sesame_wxyz';
const website: Body = { name: 'Website', measurementId: 'G-ABC123DEF4', apiSecret };
const post = (who: TestPerson, body: Body = website) =>
  app
    .as(who)
    .request(contract.createGa4Integration, { params: { companyId: who.companyId }, body });
const list = async (who: TestPerson) =>
  (
    await app
      .as(who)
      .request(contract.listGa4Integrations, { params: { companyId: who.companyId } })
  ).body.data;

async function office() {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
  });
  return { company, owner, number };
}
async function missedCall(to: string, from = '+12125550147'): Promise<number> {
  const call = aCall(to, from);
  await call.tell(call.inbound);
  const id = await call.id();
  await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
  await app.drainJobs();
  return id;
}

test('a call is one event of Google Analytics, without who called; the secret is in no answer or log', async () => {
  const { owner, number, company } = await office();
  const made = await post(owner);
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({
    apiSecret: '…wxyz',
    lastStatus: 'warning',
    lastMessages: [{ level: 'warning' }],
  });
  const callId = await missedCall(number.number);
  const live = asked.at(-1);
  const url = new URL(live?.url ?? '');
  expect(url.origin + url.pathname).toBe('https://www.google-analytics.com/mp/collect');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    measurement_id: 'G-ABC123DEF4',
    api_secret: apiSecret,
  });
  expect(collected).toEqual([
    {
      client_id: expect.stringMatching(/^\d+\.\d+$/),
      timestamp_micros: expect.any(Number),
      consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' },
      user_properties: {},
      events: [
        {
          name: 'phone_call',
          params: {
            call_id: String(callId),
            tracking_number: number.number,
            call_outcome: 'missed',
            call_duration: 0,
            first_time_caller: 'true',
            engagement_time_msec: 1,
          },
        },
      ],
    },
  ]);
  expect(live?.body).not.toContain('5550147');
  const log = await app.as(owner).request(integrations.listDeliveries, {
    params: { companyId: company.id, destinationId: made.body.data.id },
  });
  expect(log.body.data[0]).toMatchObject({ state: 'sent', response_code: 204 });
  expect((await list(owner))[0]).toMatchObject({ sent24h: 1 });
  const { rows } = await app.services.db.pool.query(
    'select * from destination d join delivery l on l.destination_id = d.id where d.id = $1',
    [made.body.data.id],
  );
  expect(JSON.stringify([log.body, await list(owner), rows])).not.toMatch(/sesame|5550147/);
});

test('what Google’s validation address refuses is refused with its words; nothing is stored', async () => {
  const { owner } = await office();
  refusal = [
    { fieldPath: 'events', description: 'Event name is too long.', validationCode: 'NAME_INVALID' },
  ];
  const refused = await post(owner);
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.body)).toContain('Event name is too long.');
  expect(await list(owner)).toEqual([]);
  isAway = true;
  const unsure = await post(owner);
  expect(unsure.status).toBe(201);
  expect(unsure.body.data.lastMessages.map(({ text }) => text)).toContain(
    'Google Analytics couldn’t be asked whether this is right.',
  );
});

test.each([
  { measurementId: 'UA-1234-5' },
  { apiSecret: 'short' },
  { events: [{ trigger: 'call.completed', eventName: 'session_start' }] },
  { events: [{ trigger: 'call.completed', eventName: 'google_call' }] },
  { events: [{ trigger: 'call.completed', eventName: 'Phone Call' }] },
  { events: [] },
  { parameters: { call_id: 'ga_call' } },
  { parameters: { caller_name: 'name' } },
  { parameters: { call_id: 'same', source: 'same' } },
  { scope: { type: 'numbers', numberIds: [8_999_999_999_999] } },
])('refuses %o', async (wrong) => {
  const { owner } = await office();
  expect((await post(owner, { ...website, ...wrong } as Body)).status).toBe(422);
});

test('only who has Google’s cookie is sent where that is asked for, with their session', async () => {
  const { owner, number, company } = await office();
  await post(owner, { ...website, clientIdPolicy: 'require', sendUserIdHash: true });
  const first = await missedCall(number.number);
  expect(collected).toEqual([]);
  // The same call behind a visit with the cookies, told of again.
  await app.services.db.pool.query(
    `with visit as (insert into tracking_visit (company_id, started_at, last_seen_at, url, source_id,
        source_key, source_label, rule_id, evidence, device, outcome, captured)
      values ($1, $3, $3, 'https://harbor.example/', 1, 'google-ads', 'Google Ads', '', '', 'mobile',
        'leased', $4) returning id)
    insert into tracking_match (company_id, kind, subject_id, number_id, party, at, label, confidence,
      model, visit_id, source_id, source_key, source_label, content)
    select $1, 'call', $2, $5, '+12125550147', $3, 'exact', 1, 'last', id, 1, 'google-ads', 'Google Ads',
      'blue-ad' from visit`,
    [
      company.id,
      first,
      app.clock.value,
      { cookies: { _ga: 'GA1.2.123.456', _ga_ABC123DEF4: 'GS2.1.s1759999999$o1$g0' } },
      number.id,
    ],
  );
  const { calls } = await import('#contract');
  const id = (await list(owner))[0]?.id ?? 0;
  await app.as(owner).request(contract.updateGa4Integration, {
    params: { companyId: company.id, id },
    body: {
      ...website,
      apiSecret: undefined,
      clientIdPolicy: 'require',
      events: [{ trigger: 'qualified', sendValue: true, currency: 'CAD' }],
    },
  });
  await app.as(owner).request(calls.updateCall, {
    params: { id: first },
    body: { qualified: 1, value_cents: 12_550 },
  });
  await app.drainJobs();
  expect(collected).toMatchObject([
    {
      client_id: '123.456',
      events: [
        {
          name: 'call_qualified',
          params: { session_id: '1759999999', content: 'blue-ad', value: 125.5, currency: 'CAD' },
        },
      ],
    },
  ]);
  // The secret was left out of the change, so it stayed.
  expect(new URL(asked.at(-1)?.url ?? '').searchParams.get('api_secret')).toBe(apiSecret);
});

test('an event isn’t dated back more than 72 hours', async () => {
  const { owner, number } = await office();
  await post(owner, { ...website, events: [{ trigger: 'lead' }] });
  const id = await missedCall(number.number);
  app.clock.advance(5 * 86_400);
  const { calls } = await import('#contract');
  await app.as(owner).request(calls.updateCall, { params: { id }, body: { lead: 1 } });
  await app.drainJobs();
  const back = app.clock.value.getTime() - Number(collected[0]?.['timestamp_micros']) / 1000;
  expect(back).toBeLessThanOrEqual(72 * 3_600_000);
  expect(back).toBeGreaterThan(71 * 3_600_000);
});

test('only the numbers of its scope; another company sees and changes nothing', async () => {
  const [mine, theirs] = [await office(), await office()];
  const other = await createTestNumber(app, mine.company.id);
  const made = await post(mine.owner, {
    ...website,
    scope: { type: 'numbers', numberIds: [other.id] },
  });
  await missedCall(mine.number.number);
  await missedCall(theirs.number.number);
  expect(collected).toEqual([]);
  const params = { companyId: theirs.company.id, id: made.body.data.id };
  for (const ask of [contract.getGa4Integration, contract.deleteGa4Integration])
    expect((await app.as(theirs.owner).request(ask, { params })).status).toBe(404);
  const foreign = await post(mine.owner, {
    ...website,
    scope: { type: 'numbers', numberIds: [theirs.number.id] },
  });
  expect(foreign.status).toBe(422);
});
