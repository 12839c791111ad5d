import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connections, oauthIntegrations as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

/** HubSpot, played by the mock server under HubSpot's own paths. */
const issuer = new OAuth2Issuer();
await issuer.keys.generate('RS256');
const oauth = new OAuth2Service(issuer, {
  authorize: '/oauth/authorize',
  token: '/oauth/v3/token',
});
let tokenStatus = 200;
oauth.on('beforeResponse', (response: { statusCode: number }) => {
  response.statusCode = tokenStatus;
});
const vendor = createServer((request, reply) => {
  if (!request.url?.startsWith('/oauth/v3/token/introspect'))
    return void oauth.requestHandler(request, reply);
  const info = { hub_id: 62515, hub_domain: 'harbor.example.com', user: 'ann@harbor.example.com' };
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
});
await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
afterAll(() => void vendor.close());
const vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
issuer.url = vendorUrl;

const app = await createTestApp({
  clock: 'still',
  env: {
    PUBLIC_URL: 'https://phones.test',
    HUBSPOT_CLIENT_ID: 'client',
    HUBSPOT_CLIENT_SECRET: 'secret',
    HUBSPOT_API_URL: vendorUrl,
  },
});
beforeEach(() => {
  tokenStatus = 200;
});

const begin = (person: TestPerson, provider = 'hubspot') =>
  app.as(person).request(connections.redirectToOAuthProvider, {
    params: { companyId: person.companyId, provider },
  });
/** The query with which the consent page sends the browser back. */
async function consent(url: string): Promise<string> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  const back = new URL(headers.get('location') ?? '');
  expect(back.origin + back.pathname).toBe(
    'https://phones.test/api/oauth-integrations/hubspot/callback',
  );
  return back.search;
}
/** The page of the app that the person ends up at. */
async function comeBack(person: TestPerson | null, query: string): Promise<string> {
  const url = `/api/oauth-integrations/hubspot/callback${query}`;
  const { status, headers } = await app.as(person).inject({ method: 'GET', url });
  expect(status).toBe(302);
  return String(headers['location']);
}
const page = 'https://phones.test/integrations?provider=hubspot';
const failed = (reason: string) => `${page}&outcome=failed&reason=${reason}`;
const connectionsOf = ({ companyId }: TestPerson) =>
  app.services.db.unscoped
    .selectFrom('connection')
    .select(['provider', 'external_id', 'account_name', 'account_email', 'created_by'])
    .where('company_id', '=', companyId)
    .execute();

describe('connecting a provider', () => {
  test('the person consents and returns to the app with the account connected', async () => {
    const { owner } = await app.createCompany();
    const { status, body } = await begin(owner);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      url: expect.stringContaining(`${vendorUrl}/oauth/authorize?response_type=code`) as string,
      state: expect.stringMatching(new RegExp(`^${owner.companyId}\\.tlo_`)) as string,
      expires_at: new Date(app.clock.value.getTime() + 600_000).toISOString(),
    });
    const query = await consent(body.data.url);
    expect(await comeBack(owner, query)).toBe(`${page}&outcome=connected`);
    expect(await connectionsOf(owner)).toEqual([
      {
        provider: 'hubspot',
        external_id: '62515',
        account_name: 'harbor.example.com',
        account_email: 'ann@harbor.example.com',
        created_by: owner.id,
      },
    ]);
    expect(await comeBack(owner, query), 'a second time').toBe(failed('state'));
    // Open screens of teammates follow it.
    const published = await app.services.db.unscoped
      .selectFrom('outbox')
      .select('data')
      .where('company_id', '=', owner.companyId)
      .where('event', '=', 'connection.changed')
      .execute();
    expect(published).toEqual([
      { data: expect.objectContaining({ provider: 'hubspot', connected: true }) },
    ]);
  });

  test('a state works in its own session, for ten minutes', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    const colleague = await app.createPerson(owner.companyId, 'administrator');
    const query = await consent((await begin(owner)).body.data.url);
    expect(await comeBack(null, query), 'signed out').toBe(failed('state'));
    expect(await comeBack(colleague, query), 'a colleague').toBe(failed('state'));
    expect(await comeBack(other.owner, query), 'another company').toBe(failed('state'));
    expect(await comeBack(owner, '?code=x&state=forged'), 'forged').toBe(failed('state'));
    app.clock.advance(601);
    expect(await comeBack(owner, query), 'too late').toBe(failed('state'));
    expect(await connectionsOf(owner)).toEqual([]);
  });

  test('who may no longer edit integrations connects nothing', async () => {
    const { owner } = await app.createCompany();
    const query = await consent((await begin(owner)).body.data.url);
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('membership')
        .set({ role: 'reporting' })
        .where('user_id', '=', owner.id)
        .execute(),
    );
    expect(await comeBack(owner, query)).toBe(failed('state'));
  });

  test('a refusal and a provider that is down lead back to the app with the reason', async () => {
    const { owner } = await app.createCompany();
    const { state } = (await begin(owner)).body.data;
    const declined = `?error=access_denied&error_description=<b>No</b>&state=${state}`;
    expect(await comeBack(owner, declined)).toBe(failed('refused'));
    const query = await consent((await begin(owner)).body.data.url);
    tokenStatus = 503;
    expect(await comeBack(owner, query)).toBe(failed('away'));
    expect(await connectionsOf(owner)).toEqual([]);
  });

  test('a provider that is unknown or not set up is refused by name', async () => {
    const { owner } = await app.createCompany();
    expect(await begin(owner, 'salesforce')).toMatchObject({
      status: 409,
      body: {
        code: 'connection.provider_not_set_up',
        message:
          'Salesforce can’t be connected yet. An operator must set its client ID and secret on this server.',
      },
    });
    expect(await begin(owner, 'pigeon')).toMatchObject({
      status: 404,
      body: {
        code: 'connection.unknown_provider',
        message: 'There’s no integration named pigeon.',
      },
    });
    const url = '/api/oauth-integrations/pigeon/callback';
    expect(await app.as(owner).inject({ method: 'GET', url })).toMatchObject({ status: 404 });
  });
});

describe('connected accounts', () => {
  const list = (person: TestPerson) =>
    app.as(person).request(contract.listOAuthIntegrations, {
      params: { companyId: person.companyId },
    });

  test('are listed with their health, and the providers that this server can connect', async () => {
    const { owner } = await app.createCompany();
    await comeBack(owner, await consent((await begin(owner)).body.data.url));
    const { status, body } = await list(owner);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({
        provider: 'hubspot',
        status: 'connected',
        account: {
          external_id: '62515',
          name: 'harbor.example.com',
          email: 'ann@harbor.example.com',
        },
        last_error: null,
        created_by: owner.id,
      }) as object,
    ]);
    expect(JSON.stringify(body)).not.toContain('token');
    expect(body.providers.filter((one) => one.ready)).toEqual([
      { name: 'hubspot', label: 'HubSpot', ready: true, delivers: true, setup: null },
    ]);
    expect(body.providers, 'no one can use the others here').toHaveLength(1);
  });

  test('are gone from the list once disconnected; other companies can’t see or remove them', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    await comeBack(owner, await consent((await begin(owner)).body.data.url));
    const id = (await list(owner)).body.data[0]?.id ?? 0;
    const remove = (person: TestPerson) =>
      app.as(person).request(contract.removeOAuthIntegration, {
        params: { companyId: person.companyId, id },
      });
    expect((await list(other.owner)).body.data).toEqual([]);
    expect((await remove(other.owner)).status).toBe(404);
    const reporting = await app.createPerson(owner.companyId, 'reporting');
    expect((await remove(reporting)).status).toBe(403);
    expect((await list(owner)).body.data).toHaveLength(1);
    expect((await remove(owner)).status).toBe(200);
    expect((await list(owner)).body.data).toEqual([]);
  });
});
