import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import {
  accessTokens,
  audit,
  companies,
  oauthProvider,
  organizations,
  settings,
  support,
} from '#contract';
import { openSocket } from '../../../../test/support/live-socket.ts';
import { createOnlySso } from '../../../../test/support/sso-only.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

/** What the provider announces is served, fetched with care, and shows no more than it should. */
const app = await createTestApp({ clock: 'real', env: { OAUTH_DYNAMIC_REGISTRATION: '1' } });
const companyAuthorizations = 'oauth.company_authorizations_changed';
const origin = app.services.settings.publicUrl;
const get = (url: string, headers = {}) => app.server.inject({ method: 'GET', url, headers });

/** Starts a request signed out, lets the person decide, and exchanges the code. */
async function connect(
  person: TestPerson,
  clientId: string,
  scope: string,
  companyId = person.companyId,
) {
  const verifier = 'v'.repeat(64);
  const challenge = Buffer.from(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
  ).toString('base64url');
  const redirect = 'https://program.test/callback';
  const ask = new URLSearchParams({
    ...{ client_id: clientId, response_type: 'code', redirect_uri: redirect, scope },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  });
  const jar = new Map<string, string>();
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await app.server.inject({
      method,
      url,
      headers: {
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        // A page that has just signed in holds a token, and sends it beside its cookies.
        ...(url.includes('/consent') && { authorization: `Bearer ${person.token}` }),
      },
      ...(payload && { payload }),
    });
    for (const { name, value } of answer.cookies) jar.set(name, value);
    return answer;
  };
  await send('GET', `/api/oauth/auth?${ask}`);
  const context = (await send('GET', '/api/oauth/consent/context')).json().data;
  const decided = await send('POST', '/api/oauth/consent', {
    allow: true,
    for_company_id: companyId,
  });
  if (decided.statusCode !== 200) return { context, refused: decided.statusCode, token: '' };
  const back = await send('GET', new URL(decided.json().data.redirect_to).pathname);
  const code = new URL(String(back.headers.location)).searchParams.get('code') ?? '';
  const exchanged = await app.server.inject({
    method: 'POST',
    url: '/api/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: clientId, code },
      ...{ redirect_uri: redirect, code_verifier: verifier },
    }).toString(),
  });
  return { context, refused: 0, token: exchanged.json().access_token as string };
}
const register = async (owner: TestPerson) =>
  (
    await app.as(owner).request(oauthProvider.createOAuthClient, {
      params: { companyId: owner.companyId },
      body: {
        name: 'Reports',
        redirect_uris: ['https://program.test/callback'],
        confidential: false,
      },
    })
  ).body.data.client_id;

test('every address in the discovery documents answers', async () => {
  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    const announced = (await get(`/.well-known/${name}`)).json() as Record<string, unknown>;
    const addresses = Object.entries(announced).filter(
      ([key, value]) => typeof value === 'string' && /_(endpoint|uri)$/.test(key),
    );
    expect(addresses.length).toBeGreaterThan(5);
    for (const [key, address] of addresses) {
      const { pathname } = new URL(String(address));
      const found = await Promise.all(
        (['GET', 'POST'] as const).map((method) => app.server.inject({ method, url: pathname })),
      );
      const isServed = found.some(({ statusCode }) => statusCode !== 404 && statusCode < 500);
      expect([key, isServed]).toEqual([key, true]);
    }
  }
  const resource = await get('/.well-known/oauth-protected-resource/api');
  expect(resource.json()).toMatchObject({
    resource: `${origin}/api`,
    authorization_servers: [origin],
  });
  expect((await get('/api/user')).headers['www-authenticate']).toContain(
    'oauth-protected-resource',
  );
  const change = await get('/.well-known/change-password');
  expect([change.statusCode, change.headers.location]).toEqual([302, '/settings/security']);
});

test('userinfo says what the person agreed to, and ends with the grant', async () => {
  const { owner } = await app.createCompany();
  const clientId = await register(owner);
  const { token } = await connect(owner, clientId, 'openid email read');
  const ask = (bearer: string) => get('/api/oauth/me', { authorization: `Bearer ${bearer}` });
  expect((await ask(token)).json()).toEqual({ sub: String(owner.id), email: owner.email });
  const withoutOpenId = await connect(owner, clientId, 'read');
  expect((await ask(withoutOpenId.token)).statusCode).toBe(403);
  expect((await ask('wrong')).statusCode).toBe(401);
  for (const { id } of (await app.as(owner).request(oauthProvider.listAuthorizations, {})).body
    .data)
    await app.as(owner).request(oauthProvider.revokeAuthorization, { params: { id } });
  expect((await ask(token)).statusCode).toBe(401);
});

test('consent shows and stores only what the person’s role has', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const { context, token } = await connect(
    person,
    await register(owner),
    'openid email profile read admin billing:read',
  );
  expect(context).toMatchObject({
    identity: ['name', 'email'],
    companies: [{ id: company.id, scopes: ['read'] }],
  });
  expect((await get('/api/user', { authorization: `Bearer ${token}` })).statusCode).toBe(200);
  const { data } = (await app.as(person).request(oauthProvider.listAuthorizations, {})).body;
  expect(data.map((one) => one.scopes)).toEqual([['read']]);
});

test('administrators see and revoke what people of their company allowed, of no other', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const other = await app.createCompany();
  const { token } = await connect(person, await register(owner), 'read');
  const params = { companyId: company.id };
  const listed = await app.as(owner).request(oauthProvider.listCompanyAuthorizations, { params });
  expect(listed.body.data).toMatchObject([{ approved: true, person: { id: person.id } }]);
  const authorizationId = listed.body.data[0]!.id;
  const revoke = (who: TestPerson, companyId: number) =>
    app.as(who).request(oauthProvider.revokeCompanyAuthorization, {
      params: { companyId, authorizationId },
    });
  expect((await revoke(other.owner, other.company.id)).status).toBe(404);
  expect((await revoke(person, company.id)).status).toBe(403);
  const bearer = { authorization: `Bearer ${token}` };
  expect((await get('/api/user', bearer)).statusCode).toBe(200);
  expect((await revoke(owner, company.id)).status).toBe(204);
  expect((await get('/api/user', bearer)).statusCode).toBe(401);
});

test('a company that wants approved applications only ends the others, and connects no more', async () => {
  const { owner, company } = await app.createCompany();
  const registered = await app.server.inject({
    method: 'POST',
    url: '/api/oauth/reg',
    payload: {
      client_name: 'Anything',
      redirect_uris: ['https://program.test/callback'],
      token_endpoint_auth_method: 'none',
    },
  });
  const clientId = registered.json().client_id as string;
  const { token } = await connect(owner, clientId, 'read');
  const list = () =>
    get(`/api/companies/${company.id}/users`, { authorization: `Bearer ${token}` });
  expect((await list()).statusCode).toBe(200);
  await app.as(owner).request(settings.updateGeneralSettings, {
    query: { companyId: company.id },
    body: { approved_applications_only: true },
  });
  expect((await list()).statusCode).toBe(401);
  const again = await connect(owner, clientId, 'read');
  expect([again.context.companies, again.refused]).toEqual([[], 404]);
  expect((await connect(owner, await register(owner), 'read')).refused).toBe(0);
});

test('administrators hear at once what their people connect and revoke, and no other company does', async () => {
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
  await app.drainJobs();
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const other = await app.createCompany();
  const watch = (who: TestPerson) =>
    openSocket(address, who.token, [
      `private-companies.${who.companyId}`,
      `private-users.${who.id}`,
    ]);
  const [theirs, own, stranger] = [
    await watch(owner),
    await watch(person),
    await watch(other.owner),
  ];
  const ofCompany = (one: { event: string }) => one.event === companyAuthorizations;
  const ofPerson = (one: { event: string }) => one.event === 'oauth.authorization_changed';
  await connect(person, await register(owner), 'read');
  expect(await theirs.hears(ofCompany)).toBeLessThan(1000);
  expect(await own.hears(ofPerson)).toBeLessThan(1000);
  const [mine] = (await app.as(person).request(oauthProvider.listAuthorizations)).body.data;
  const heard = theirs.heard.filter(ofCompany).length;
  await app.as(person).request(oauthProvider.revokeAuthorization, { params: { id: mine!.id } });
  await theirs.hears(() => theirs.heard.filter(ofCompany).length > heard);
  expect(theirs.heard.some(ofPerson)).toBe(false);
  expect(stranger.heard.some((one) => ofCompany(one) || ofPerson(one))).toBe(false);
  for (const socket of [theirs, own, stranger]) socket.close();
});

test('what a program names is fetched from the public internet only', async () => {
  let connections = 0;
  const listener = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  const { port } = listener.address() as { port: number };
  const registered = await app.server.inject({
    method: 'POST',
    url: '/api/oauth/reg',
    payload: {
      redirect_uris: ['https://program.test/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `https://127.0.0.1:${port}/jwks`,
    },
  });
  const clientId = registered.json().client_id as string;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const assertion = `${part({ alg: 'RS256', kid: 'a' })}.${part({ iss: clientId, sub: clientId, aud: origin, jti: 'x', exp: 9_999_999_999 })}.AAAA`;
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }).toString(),
  });
  listener.close();
  expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  expect(connections).toBe(0);
});

test('PINs are for people’s own sessions, and their use by staff is limited and in the audit log', async () => {
  const { owner, company } = await app.createCompany();
  const pinsOf = (who: TestPerson) => app.as(who).request(companies.getUser, {});
  const pin = (await pinsOf(owner)).body.data.support_pins[0]!.pin;
  const key = await app.as(owner).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'Reports', scopes: ['read', 'write', 'admin'], company_id: company.id },
  });
  const asKey = {
    ...owner,
    token: key.body.data.plain_text_token,
  };
  expect((await pinsOf(asKey)).body.data.support_pins).toEqual([]);
  const staff = await app.createStaff();
  const found = await app
    .as(staff)
    .request(support.findCompaniesByPin, { query: { pin }, headers: { isadmin: '1' } });
  expect(found.body.data).toMatchObject([{ id: company.id }]);
  const log = await app.as(owner).request(audit.listAuditLog, {
    params: { companyId: company.id },
    query: { action: 'support.pin_used' },
  });
  expect(log.body.data).toHaveLength(1);
  const guesses = [];
  for (let n = 0; n < 40; n++)
    guesses.push(
      (
        await app.as(staff).request(support.findCompaniesByPin, {
          query: { pin: '000000' },
          headers: { isadmin: '1' },
        })
      ).status,
    );
  expect(guesses.at(-1)).toBe(429);
});

test('a key learns nothing of sister companies, and makes no companies', async () => {
  const { owner, company } = await app.createCompany();
  const key = await app.as(owner).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'All', scopes: ['read', 'write', 'admin'], company_id: company.id },
  });
  const asKey = {
    ...owner,
    token: key.body.data.plain_text_token,
  };
  const made = await app.as(asKey).request(organizations.createOrganization, {
    body: { name: 'Mine' },
  });
  expect(made).toMatchObject({ status: 403, body: { message: 'Keys can’t do this. Sign in.' } });
});

test('a program keeps its access where an organization lets people in only through its provider; a session that is kept out gives none', async () => {
  const only = createOnlySso(app, 'https://id.test');
  const { person, company, owner, id } = await only.create();
  await only.comeThrough(owner, id);
  await only.comeThrough(person, id);
  const clientId = await register(owner);
  const { token } = await connect(person, clientId, 'read', company.id);
  const read = () => get(`/api/company/${company.id}`, { authorization: `Bearer ${token}` });
  expect((await read()).statusCode).toBe(200);
  await only.comeThrough(person, null);
  expect((await read()).statusCode).toBe(200);
  const refused = await connect(person, clientId, 'read', company.id);
  expect([refused.token, refused.refused]).toEqual(['', 404]);
});
