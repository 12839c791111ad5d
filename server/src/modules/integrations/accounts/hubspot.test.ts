import { describe, expect, test } from 'vitest';
import { contacts, integrations, oauthIntegrations as contract } from '#contract';
import { createAccountHarness, lostAnswer } from '../../../../test/support/account-harness.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../gateways/outbound.ts';
import { systemCtx } from '../../../platform/context.ts';
import { collect } from '../deliveries/collect.ts';

const {
  app,
  notifier,
  asked,
  meddle,
  loseFirst,
  company: connect,
  later,
} = await createAccountHarness(['sandbox.hubspot_object']);

interface Stored {
  id: string;
  type: string;
  properties: Record<string, string>;
  contacts: string[];
}
const inHubspot = async (type: string): Promise<Stored[]> =>
  (
    await app.services.db.pool.query<Stored>(
      `select id::text, type, properties, contacts from sandbox.hubspot_object
       where type = $1 order by id`,
      [type],
    )
  ).rows;
/** A contact that HubSpot has had for a while. */
const stored = async (properties: Record<string, string>): Promise<string> =>
  (
    await app.services.db.pool.query<{ id: string }>(
      `insert into sandbox.hubspot_object (portal, type, properties, created_at, updated_at)
       values ('sandbox-main', 'contacts', $1, '2026-01-01', '2026-01-01') returning id::text`,
      [JSON.stringify(properties)],
    )
  ).rows[0]?.id ?? '';
const isCreating = (type: string, { method, url }: OutboundRequest): boolean =>
  method === 'POST' && url.endsWith(`/crm/v3/objects/${type}`);

/** A company whose calls and texts are logged in HubSpot, and how someone calls it. */
const company = (config: object = {}, delayMinutes = 0) =>
  connect(
    'hubspot',
    config,
    (['call.completed', 'qualified', 'message.received'] as const).map((event) => ({
      ...{ event, delay_minutes: delayMinutes },
    })),
  );

describe('a text', () => {
  const say = async (to: string, text: string): Promise<void> => {
    await inboxHelpers(app).text('+12125550149', to, text);
    await app.drainJobs();
  };

  test('is logged once at the contact of who sent it, also when HubSpot’s answer was lost', async () => {
    const { number, log } = await company({ log_sms: true });
    await say(number, 'Is <b>Friday</b> free?');
    app.clock.advance(20);
    meddle((request, answer) => (isCreating('communications', request) ? lostAnswer : answer));
    await say(number, 'Or Monday?');
    meddle(null);
    await later(61);
    const [contact, ...more] = await inHubspot('contacts');
    expect(more).toEqual([]);
    expect(contact?.properties).toMatchObject({ phone: '+12125550149' });
    const texts = await inHubspot('communications');
    expect(texts.map((one) => [one.properties['hs_communication_body'], one.contacts])).toEqual([
      ['Is &lt;b&gt;Friday&lt;/b&gt; free?', [contact?.id]],
      ['Or Monday?', [contact?.id]],
    ]);
    expect(texts[0]?.properties).toMatchObject({ hs_communication_channel_type: 'SMS' });
    const entries = await log();
    expect(entries.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['sent', 2],
      ['sent', 1],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/Friday|Monday|2125550149/);
  });

  test('isn’t logged where the account leaves texts out; who sent it is a contact all the same', async () => {
    const { number, log } = await company({ log_sms: false });
    await say(number, 'Hello?');
    expect(await inHubspot('communications')).toEqual([]);
    expect(await inHubspot('contacts')).toHaveLength(1);
    expect((await log()).map(({ state }) => state)).toEqual(['sent']);
  });
});

describe('a contact', () => {
  test('is created once for two calls of one person that two workers deliver at one time', async () => {
    const { missedCall, log, deliverTogether } = await company({}, 1);
    await missedCall();
    await missedCall();
    const waiting = await log();
    expect(waiting.map(({ state }) => state)).toEqual(['queued', 'queued']);
    app.clock.advance(61);
    await deliverTogether();
    const [contact, ...more] = await inHubspot('contacts');
    expect(more).toEqual([]);
    expect(contact?.properties).toMatchObject({ phone: '+12125550147' });
    const calls = await inHubspot('calls');
    expect(calls.map((call) => call.contacts)).toEqual([[contact?.id], [contact?.id]]);
    expect(calls[0]?.properties).toMatchObject({
      hs_call_title: 'Inbound call missed',
      hs_call_direction: 'INBOUND',
      hs_call_status: 'NO_ANSWER',
      hs_call_from_number: '+12125550147',
    });
    const done = await log();
    expect(done.map(({ state }) => state)).toEqual(['sent', 'sent']);
    expect(JSON.stringify(done)).not.toMatch(/5550147|sbx_/);
    expect(done.at(-1)?.request_redacted).toContain('"phone":"+1•••47"');
  });

  test('is created once where the answer was lost: search finds it by the next try', async () => {
    const { missedCall, log } = await company();
    const times = loseFirst((request) => isCreating('contacts', request));
    await missedCall();
    expect((await log())[0]).toMatchObject({ state: 'failed', attempts: 1 });
    await later(61);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 2 });
    expect(await inHubspot('contacts')).toHaveLength(1);
    expect(times(), 'no second one was asked for').toBe(1);
  });

  test('is known from then on, however late search finds it', async () => {
    const { missedCall } = await company();
    await missedCall();
    await missedCall();
    expect(await inHubspot('contacts')).toHaveLength(1);
    expect(await inHubspot('calls')).toHaveLength(2);
    // Contacts are also read back every few minutes, by another question.
    expect(
      asked.filter(
        ({ url, body }) => url.endsWith('/contacts/search') && /_phone_number/.test(body),
      ),
    ).toHaveLength(1);
  });

  test('that is there already gets what it lacks and keeps what a person typed', async () => {
    const id = await stored({ phone: '(212) 555-0147', tracking_number: 'By hand' });
    const { missedCall, number } = await company({
      field_map: { tracking_number: 'tracking_number', number_label: 'lead_source' },
    });
    await missedCall();
    expect(await inHubspot('contacts')).toEqual([
      {
        ...{ id, type: 'contacts', contacts: [] },
        properties: {
          phone: '(212) 555-0147',
          tracking_number: 'By hand',
          lead_source: 'Main line',
        },
      },
    ]);
    expect(number).toMatch(/^\+1/);
    expect((await inHubspot('calls'))[0]?.contacts).toEqual([id]);
  });

  test('with the email address of ours is used, also before search finds it', async () => {
    const { owner, missedCall } = await company();
    const made = await app.as(owner).request(contacts.createContact, {
      body: {
        company_id: owner.companyId,
        ...{ name: 'Ann Lee', number: '+12125550147', email: 'ann@lee.example' },
      },
    });
    expect(made.status).toBe(201);
    const id = await stored({ email: 'ANN@lee.example' });
    // Search is behind: it finds nothing.
    meddle(({ url }, answer) =>
      url.endsWith('/search')
        ? ({ ...answer, status: 200, body: '{"results":[],"total":0}' } as OutboundAnswer)
        : answer,
    );
    await missedCall();
    expect((await inHubspot('contacts')).map((one) => one.id)).toEqual([id]);
    expect((await inHubspot('calls'))[0]?.contacts).toEqual([id]);
  });

  test('that was deleted there is found or created anew', async () => {
    const { missedCall } = await company();
    await missedCall();
    await app.services.db.pool.query('delete from sandbox.hubspot_object');
    await missedCall();
    const found = await inHubspot('contacts');
    expect(found).toHaveLength(1);
    expect((await inHubspot('calls'))[0]?.contacts).toEqual([found[0]?.id]);
  });

  test('isn’t created where that is turned off: the call is left out, which is no failure', async () => {
    const { missedCall, log, account } = await company({ create_contact: false });
    await missedCall();
    expect(await inHubspot('contacts')).toEqual([]);
    expect((await log())[0]).toMatchObject({
      state: 'skipped',
      error: 'No contact in HubSpot has this number.',
    });
    expect(await account()).toMatchObject({ failed_30d: 0, last_error: null });
  });
});

describe('a call', () => {
  test('is logged once where the answer was lost', async () => {
    const { missedCall, log } = await company();
    loseFirst((request) => isCreating('calls', request));
    await missedCall();
    await later(61);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 2 });
    expect(await inHubspot('calls')).toHaveLength(1);
  });

  test('that is qualified afterwards changes in HubSpot instead of being logged twice', async () => {
    const { companyId, missedCall, log } = await company();
    await missedCall();
    const [first] = await log();
    await app.services.db.pool.query(`update call set qualified = true where company_id = $1`, [
      companyId,
    ]);
    await systemCtx(app.services, companyId, notifier).transaction((t) =>
      collect(t, ['qualified'], { type: 'call', id: first?.entity.id ?? 0 }, 999_999),
    );
    await app.drainJobs();
    const logged = await inHubspot('calls');
    expect(logged).toHaveLength(1);
    expect(logged[0]?.properties['hs_call_body']).toContain('Qualified: Yes');
    expect((await log()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  test('of a hidden number is left out', async () => {
    const { missedCall, log } = await company();
    await missedCall('anonymous');
    expect(await log()).toEqual([]);
  });
});

describe('what HubSpot refuses', () => {
  test('of the fields is left out and named; the rest arrives', async () => {
    const { missedCall, log, account } = await company({ field_map: { number_label: 'renamed' } });
    await missedCall();
    expect((await inHubspot('contacts'))[0]?.properties).toEqual({ phone: '+12125550147' });
    const warning = 'HubSpot didn’t take renamed. Check the fields.';
    expect((await log())[0]).toMatchObject({ state: 'sent', error: warning });
    expect((await account()).destinations[0]?.last_error?.text).toBe(warning);
  });

  test('for its limits is sent when it says, and is no failed try', async () => {
    const { missedCall, log, account } = await company();
    const limit = { status: 429, retryAfterSeconds: null };
    meddle(() => ({
      ...limit,
      body: JSON.stringify({ policyName: 'TEN_SECONDLY_ROLLING', category: 'RATE_LIMITS' }),
    }));
    await missedCall();
    const [waiting] = await log();
    expect(waiting).toMatchObject({ state: 'queued', attempts: 0 });
    const seconds = (Date.parse(waiting?.next_try_at ?? '') - app.clock.value.getTime()) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(10);
    expect(seconds).toBeLessThanOrEqual(26);
    expect(await account()).toMatchObject({ status: 'active', failed_30d: 0 });
    meddle(() => ({ status: 429, retryAfterSeconds: 90, body: '{"policyName":"DAILY"}' }));
    await later(30);
    const [daily] = await log();
    expect(Date.parse(daily?.next_try_at ?? '') - app.clock.value.getTime()).toBeGreaterThanOrEqual(
      3_600_000,
    );
    meddle(null);
    await later(3700);
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('for want of access is given up, saying what to do', async () => {
    const { missedCall, log } = await company();
    meddle(() => ({
      status: 403,
      retryAfterSeconds: null,
      body: '{"category":"MISSING_SCOPES"}',
    }));
    await missedCall();
    expect((await log())[0]).toMatchObject({
      state: 'dead',
      error: 'HubSpot doesn’t allow it. Connect the account again to give access.',
      response_excerpt: '{"category":"MISSING_SCOPES","properties":[]}',
    });
  });
});

test('access that expired is renewed once; access that was revoked says to connect again', async () => {
  const { missedCall, log, account } = await company();
  app.clock.advance(4000);
  await missedCall();
  expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 });
  await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
  app.clock.advance(4000);
  await missedCall();
  expect((await log())[0]).toMatchObject({
    state: 'failed',
    error: 'Access has ended. Connect the account again.',
  });
  expect(await account()).toMatchObject({ status: 'expired' });
});

test('owners, stages and fields are listed for those who set it up', async () => {
  const { owner, id } = await company();
  const { owner: other } = await app.createCompany();
  const look = (person: TestPerson, kind: 'owners' | 'pipelines' | 'properties') =>
    app.as(person).request(contract.lookUpOAuthIntegration, {
      params: { companyId: person.companyId, id, kind },
      query: {},
    });
  expect((await look(owner, 'owners')).body.data[0]).toEqual({
    ...{ id: '7101', name: 'Ann Harbor', detail: 'ann@harbor.example.com' },
  });
  expect((await look(owner, 'pipelines')).body.data[0]).toEqual({
    ...{ id: 'lead', name: 'Lead', detail: 'Lifecycle Stage Pipeline' },
  });
  const { data } = (await look(owner, 'properties')).body;
  expect(data).toContainEqual({ id: 'lead_source', name: 'Lead Source', detail: 'string' });
  expect(data.map((one) => one.id)).not.toContain('hs_object_id');
  expect((await look(other, 'owners')).status).toBe(404);
});

test('a dry run shows the contact and the call as they would be sent', async () => {
  const { owner, companyId, missedCall, account } = await company();
  await missedCall();
  const destinationId = (await account()).destinations[0]?.id ?? 0;
  const { body } = await app
    .as(owner)
    .request(integrations.dryRunDestination, { params: { companyId, destinationId } });
  expect(body.data.total).toBe(1);
  expect(body.data.calls[0]?.request_redacted).toContain(
    'POST https://api.hubapi.com/crm/v3/objects/calls',
  );
  expect(JSON.stringify(body)).not.toContain('5550147');
});
