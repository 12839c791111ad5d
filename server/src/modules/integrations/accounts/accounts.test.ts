import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connections, integrations, oauthIntegrations as contract } from '#contract';
import { oauthProviders } from '#contract/connections/schemas';
import { deliveryRule, deliveryRules } from '#contract/integrations/schemas';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import {
  answerConsent,
  connectAccount,
  consentPage,
} from '../../../../test/support/connect-account.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { renew } from '../../../adapters/oauth-sandbox/grants.ts';
import { sandboxOutbound } from '../../../adapters/sandbox/outbound.ts';
import type { Destination } from '../../../gateways/destination.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';

/** A CRM that only this test knows, which is delivered to with a connected account. */
const crm: Destination<{ owner: string }> = {
  name: 'hubspot',
  label: 'HubSpot',
  config: z.object({ owner: z.string() }),
  events: ['call.missed'],
  inboundOnly: true,
  firstContactDays: null,
  places: (config) => {
    const { rules, portal_id: key } = z
      .object({ rules: deliveryRules, portal_id: z.string().nullable() })
      .parse(config);
    return key ? [{ key, name: `Portal ${key}`, config: { owner: 'Ann' }, rules }] : [];
  },
  dedupeKey: ({ subject }) => `call:${subject.id}`,
  say: ({ facts, config }) => ({
    via: 'https',
    request: {
      url: 'https://crm.example/calls',
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: `${config.owner}: ${facts.party}`,
    },
  }),
};
const sent: OutboundRequest[] = [];
const { world: app, aCall } = await createCallHarness({
  demo: true,
  ports: {
    destinations: new Map([['hubspot', crm as Destination]]),
    outbound: {
      name: 'sandbox',
      send: (request) => {
        if (request.url.startsWith('https://crm.example/')) sent.push(request);
        return sandboxOutbound(app.services).send(request);
      },
    },
  },
});

const paramsOf = (person: TestPerson, id: number) => ({
  params: { companyId: person.companyId, id },
});
const get = (person: TestPerson, id: number) =>
  app.as(person).request(contract.getOAuthIntegration, paramsOf(person, id));
const look = (
  person: TestPerson,
  id: number,
  kind: 'campaigns' | 'pixels' | 'accessible-customers' | 'ad-accounts',
) =>
  app.as(person).request(contract.lookUpOAuthIntegration, {
    params: { companyId: person.companyId, id, kind },
    query: {},
  });
const grantsOf = async (provider: string) =>
  (
    await app.services.db.pool.query<{ used: boolean; revoked_at: Date | null }>(
      `select used_refresh_hash is not null as used, revoked_at from sandbox.oauth_grant
       where provider = $1 order by id desc limit 1`,
      [provider],
    )
  ).rows[0];

describe('a demo connects everything without an account', () => {
  test.each(Object.entries(oauthProviders))('%s', async (provider, label) => {
    const { owner } = await app.createCompany();
    const page = await consentPage(app, owner, provider);
    const shown = await app.as(owner).inject({ method: 'GET', url: page });
    expect(shown.status).toBe(200);
    expect(String(shown.headers['content-type'])).toContain('text/html');
    const declined = await answerConsent(app, owner, page, 'none');
    expect(declined).toBe(`/integrations?provider=${provider}&outcome=failed&reason=refused`);
    const id = await connectAccount(app, owner, provider);
    const { body } = await get(owner, id);
    expect(body.data).toMatchObject({
      provider,
      status: 'connected',
      account: { external_id: 'sandbox-main', name: `Main account at ${label}` },
      config: {},
      last_error: null,
      destinations: [],
    });
    expect(JSON.stringify(body)).not.toContain('sbx_');
  });

  test('its consent page leads back to this server only', async () => {
    const { owner } = await app.createCompany();
    const page = (await consentPage(app, owner, 'hubspot')).replace(
      encodeURIComponent(app.services.settings.publicUrl),
      encodeURIComponent('https://evil.example'),
    );
    for (const method of ['GET', 'POST'] as const)
      expect((await app.as(owner).inject({ method, url: page })).status).toBe(404);
  });
});

describe('access', () => {
  test('that expired is renewed once for two who need it', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'metaads');
    app.clock.advance(3601);
    const both = await Promise.all([look(owner, id, 'pixels'), look(owner, id, 'pixels')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    // A token that is used twice ends the whole grant.
    expect(await grantsOf('metaads')).toEqual({ used: true, revoked_at: null });
    expect((await get(owner, id)).body.data.status).toBe('connected');
  });

  test('ends at the provider when an account is disconnected', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'salesforce');
    const removed = await app
      .as(owner)
      .request(contract.removeOAuthIntegration, paramsOf(owner, id));
    expect(removed.body).toEqual({ data: { revoked: true } });
    expect((await grantsOf('salesforce'))?.revoked_at).toBeInstanceOf(Date);
    expect((await get(owner, id)).status).toBe(404);
  });

  test('is gone for both where a refresh token was used twice', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'microsoftads');
    const { db } = app.services;
    const now = app.clock.value;
    const { rows } = await db.pool.query<{ refresh_hash: string }>(
      `select refresh_hash from sandbox.oauth_grant where provider = 'microsoftads'
       order by id desc limit 1`,
    );
    expect(rows[0]?.refresh_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await renew(db, 'microsoftads', 'sbx_refresh_of_no_one', now)).toMatchObject({
      state: 'refused',
    });
    expect((await look(owner, id, 'ad-accounts')).status, 'an unknown one ends nothing').toBe(200);
    await db.pool.query(
      `update sandbox.oauth_grant set revoked_at = $1 where provider = 'microsoftads'`,
      [now],
    );
    const refused = await look(owner, id, 'ad-accounts');
    expect(refused).toMatchObject({ status: 409, body: { code: 'integration.reconnect' } });
    const { data } = (await get(owner, id)).body;
    expect(data).toMatchObject({ status: 'expired', last_error: { code: 'access_ended' } });
  });
});

describe('lists of an account', () => {
  test('are read by those who can connect integrations', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    const id = await connectAccount(app, owner, 'microsoftads');
    const { body } = await look(owner, id, 'ad-accounts');
    expect(body.data.map(({ name }) => name)).toEqual([
      ...['Harbor Dental', 'Harbor Dental, second location'],
    ]);
    expect(await look(owner, id, 'pixels')).toMatchObject({
      status: 404,
      body: { code: 'integration.no_lookup', message: 'Microsoft Ads has no such list.' },
    });
    expect((await look(other.owner, id, 'ad-accounts')).status).toBe(404);
    const reporting = await app.createPerson(owner.companyId, 'reporting');
    expect((await look(reporting, id, 'ad-accounts')).status).toBe(403);
  });
});

describe('an account that is set up', () => {
  const config = (rules: object[]) => ({ portal_id: '62515', rules });
  const put = (person: TestPerson, id: number, body: { config: Record<string, unknown> }) =>
    app.as(person).request(contract.updateOAuthIntegration, { ...paramsOf(person, id), body });
  const activate = (person: TestPerson, id: number) =>
    app
      .as(person)
      .request(contract.activateOAuthIntegration, { ...paramsOf(person, id), body: {} });

  async function missedCall(number: string): Promise<void> {
    const call = aCall(number);
    await call.tell(call.inbound);
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    await app.drainJobs();
  }

  test('delivers with its token from when it is turned on until it is turned off', async () => {
    const { company, owner } = await app.createCompany();
    const { number } = await createTestNumber(app, company.id, {
      voicemail: false,
      routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
    });
    const id = await connectAccount(app, owner, 'hubspot');
    sent.length = 0;
    const rule = { ...deliveryRule.parse({ event: 'call.missed' }), min_duration: -1 };
    expect(await put(owner, id, { config: config([rule]) })).toMatchObject({
      status: 422,
      body: { errors: { 'config.rules.0.min_duration': expect.anything() as object } },
    });
    expect(await put(owner, id, { config: { colour: 'red' } })).toMatchObject({ status: 422 });
    const saved = await put(owner, id, { config: config([{ ...rule, min_duration: 0 }]) });
    expect(saved.body.data).toMatchObject({
      status: 'connected',
      config: { portal_id: '62515', create_contact: true },
      destinations: [{ key: '62515', name: 'Portal 62515', sent_30d: 0 }],
    });
    await missedCall(number);
    expect(sent, 'it isn’t on yet').toEqual([]);

    expect((await activate(owner, id)).body.data.status).toBe('activating');
    await app.drainJobs();
    const on = (await get(owner, id)).body.data;
    expect(on).toMatchObject({ status: 'active', last_sync_at: app.clock.value.toISOString() });
    await missedCall(number);
    expect(sent.map(({ body }) => body)).toEqual(['Ann: +12125550147']);
    expect(sent[0]?.headers['authorization']).toMatch(/^Bearer sbx_access_/);
    const log = await app.as(owner).request(integrations.listDeliveries, {
      params: { companyId: company.id, destinationId: on.destinations[0]?.id ?? 0 },
    });
    expect(log.body.data.map(({ state }) => state)).toEqual(['sent']);
    expect(JSON.stringify(log.body)).not.toMatch(/sbx_|5550147/);

    const off = await app
      .as(owner)
      .request(contract.deactivateOAuthIntegration, paramsOf(owner, id));
    expect(off.body.data).toMatchObject({ status: 'inactive', config: { portal_id: '62515' } });
    await missedCall(number);
    expect(sent).toHaveLength(1);
    expect((await get(owner, id)).body.data.sent_30d).toBe(1);
  });

  test('waits while access has ended, and delivers once it is connected again', async () => {
    const { company, owner } = await app.createCompany();
    const { number } = await createTestNumber(app, company.id, {
      voicemail: false,
      routes: [{ type: 'standard', to: ['+12065550199'], voicemail: false }],
    });
    const id = await connectAccount(app, owner, 'hubspot');
    await put(owner, id, { config: config([deliveryRule.parse({ event: 'call.missed' })]) });
    await activate(owner, id);
    await app.drainJobs();
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    app.clock.advance(3601);
    sent.length = 0;
    await missedCall(number);
    const broken = (await get(owner, id)).body.data;
    expect(broken).toMatchObject({ status: 'expired', failed_30d: 1 });
    expect(sent).toEqual([]);
    expect(await connectAccount(app, owner, 'hubspot')).toBe(id);
    app.clock.advance(61);
    await app.drainJobs();
    expect(sent.map(({ body }) => body)).toEqual(['Ann: +12125550147']);
    expect((await get(owner, id)).body.data.status).toBe('active');
  });

  test('is read again on request, and another company can’t see any of it', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    const id = await connectAccount(app, owner, 'hubspot');
    await app.services.db.pool.query(
      `update sandbox.oauth_grant set account_name = 'Harbor' where provider = 'hubspot'`,
    );
    const started = await app.as(owner).request(contract.syncOAuthIntegration, paramsOf(owner, id));
    expect(started).toMatchObject({ status: 202, body: { data: { status: 'queued' } } });
    const { batchId } = started.body.data;
    await app.drainJobs();
    const progress = (person: TestPerson) =>
      app.as(person).request(contract.oauthSyncProgress, {
        params: { companyId: person.companyId, batchId },
      });
    expect((await progress(owner)).body.data).toMatchObject({ progress: 100, failed: 0 });
    expect((await get(owner, id)).body.data.account.name).toBe('Harbor');
    for (const { status } of [
      await progress(other.owner),
      await get(other.owner, id),
      await put(other.owner, id, { config: {} }),
      await activate(other.owner, id),
      await app.as(other.owner).request(contract.syncOAuthIntegration, paramsOf(other.owner, id)),
      await app
        .as(other.owner)
        .request(contract.deactivateOAuthIntegration, paramsOf(other.owner, id)),
    ])
      expect(status).toBe(404);
  });

  test('that can’t be read any more says so, and turning it on leaves it off', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'hubspot');
    await put(owner, id, { config: config([]) });
    await app.services.db.pool.query(`update sandbox.oauth_grant set revoked_at = now()`);
    app.clock.advance(3601);
    const { body } = await app
      .as(owner)
      .request(contract.syncOAuthIntegration, paramsOf(owner, id));
    expect((await activate(owner, id)).body.data.status).toBe('activating');
    await app.drainJobs();
    const { batchId } = body.data;
    const progress = await app.as(owner).request(contract.oauthSyncProgress, {
      params: { companyId: owner.companyId, batchId },
    });
    expect(progress.body.data).toMatchObject({
      failed: 1,
      errors: [{ message: 'Access to this account has ended. Connect it again.' }],
    });
    expect((await get(owner, id)).body.data.status).toBe('expired');
    expect(await activate(owner, id)).toMatchObject({
      status: 409,
      body: { code: 'integration.reconnect' },
    });
    await connectAccount(app, owner, 'hubspot');
    expect((await get(owner, id)).body.data.status).toBe('inactive');
  });

  test('is forgotten with its places once it is disconnected', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'hubspot');
    await put(owner, id, { config: config([]) });
    await app.as(owner).request(contract.removeOAuthIntegration, paramsOf(owner, id));
    await app.drainJobs();
    const { rows } = await app.services.db.pool.query(
      'select from destination where company_id = $1',
      [owner.companyId],
    );
    expect(rows).toEqual([]);
    expect(await connectAccount(app, owner, 'hubspot')).toBe(id);
    expect((await get(owner, id)).body.data).toMatchObject({ config: {}, destinations: [] });
  });

  test('can’t be turned on where nothing is delivered to its provider', async () => {
    const { owner } = await app.createCompany();
    const id = await connectAccount(app, owner, 'gohighlevel');
    expect(await activate(owner, id)).toMatchObject({
      status: 409,
      body: { code: 'integration.delivers_nothing' },
    });
  });
});

test('customers don’t see what the operator hasn’t set up; operators see what to set', async () => {
  const { createTestApp } = await import('../../../../test/support/test-app.ts');
  const real = await createTestApp({ env: { PUBLIC_URL: 'https://phones.test' } });
  const { company, owner } = await real.createCompany();
  const staff = await real.createStaff();
  const list = (person: TestPerson, headers = {}) =>
    real
      .as(person)
      .request(contract.listOAuthIntegrations, { params: { companyId: company.id }, headers });
  expect((await list(owner)).body.providers).toEqual([]);
  const { providers } = (await list(staff, { isadmin: '1' })).body;
  expect(providers).toHaveLength(7);
  expect(providers.find(({ name }) => name === 'hubspot')).toMatchObject({
    ready: false,
    setup: {
      variables: ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET'],
      redirect_url: 'https://phones.test/api/oauth-integrations/hubspot/callback',
    },
  });
  const begun = await real.as(owner).request(connections.redirectToOAuthProvider, {
    params: { companyId: company.id, provider: 'hubspot' },
  });
  expect(begun.status).toBe(409);
  await real.close();
});
