import * as oidc from 'openid-client';
import { expect, test } from 'vitest';
import { oauthProvider } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp({ clock: 'real' });
const origin = app.services.settings.publicUrl;
const REDIRECT = 'https://program.test/callback';

/** A browser's cookies, or a program without any: requests go to the server without a port. */
function visitor() {
  const jar = new Map<string, string>();
  const send = async (
    url: string,
    init: { method?: string; body?: string; headers?: object } = {},
  ) => {
    const { pathname, search } = new URL(url, origin);
    const answer = await app.server.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers: {
        ...(init.headers as Record<string, string>),
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(init.body !== undefined && { payload: init.body }),
    });
    for (const { name, value } of answer.cookies) jar.set(name, value);
    return answer;
  };
  return { send };
}

/** An outside program that uses openid-client against our server. */
async function createProgram(
  owner: TestPerson,
  auth: (secret: string) => oidc.ClientAuth = oidc.ClientSecretBasic,
) {
  const created = await app.as(owner).request(oauthProvider.createOAuthClient, {
    params: { companyId: owner.companyId },
    body: { name: 'Harbor reports', redirect_uris: [REDIRECT], confidential: true },
  });
  expect(created.status).toBe(201);
  const { client_id: clientId, client_secret: secret, id } = created.body.data;
  const { send } = visitor();
  const config = await oidc.discovery(new URL(origin), clientId, {}, auth(secret!), {
    execute: [oidc.allowInsecureRequests],
    [oidc.customFetch]: async (url, init) => {
      const body = init.body instanceof URLSearchParams ? init.body.toString() : undefined;
      const headers = {
        ...Object.fromEntries(new Headers(init.headers as Record<string, string>)),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      };
      const answer = await send(url, {
        method: init.method,
        headers,
        ...(body !== undefined && { body }),
      });
      return new Response(answer.rawPayload.length ? new Uint8Array(answer.rawPayload) : null, {
        status: answer.statusCode,
        headers: answer.headers as Record<string, string>,
      });
    },
  });
  return { id, clientId, config };
}

type Program = Awaited<ReturnType<typeof createProgram>>;

/** Sends a person's browser to us, and lets them decide. Resolves with the address it ends at. */
async function authorize(
  { config }: Program,
  person: TestPerson,
  scope: string,
  decision: object = { allow: true, for_company_id: person.companyId },
) {
  const { send } = visitor();
  const verifier = oidc.randomPKCECodeVerifier();
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const start = await send(address.href);
  expect(start.headers.location, start.body).toBe(`${origin}/oauth/consent`);
  const bearer = { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' };
  const context = await send('/api/oauth/consent/context', { headers: bearer });
  expect(context.statusCode, context.body).toBe(200);
  const decided = await send('/api/oauth/consent', {
    method: 'POST',
    headers: bearer,
    body: JSON.stringify(decision),
  });
  const next = decided.json().data?.redirect_to as string | undefined;
  if (!next) return { decided, context: context.json().data, verifier, back: null };
  const end = await send(next);
  return {
    decided,
    context: context.json().data,
    verifier,
    back: new URL(String(end.headers.location)),
  };
}

async function tokensFor(program: Program, person: TestPerson, scope: string) {
  const { back, verifier } = await authorize(program, person, scope);
  return oidc.authorizationCodeGrant(program.config, back!, { pkceCodeVerifier: verifier });
}

const withToken = (
  token: string,
  url: string,
  init: { method?: 'GET' | 'POST'; payload?: object } = {},
) =>
  app.server.inject({ method: 'GET', url, headers: { authorization: `Bearer ${token}` }, ...init });

test('a program gets tokens with consent, renews them, and a reused refresh token ends its family', async () => {
  const { owner } = await app.createCompany();
  const program = await createProgram(owner);
  const first = await tokensFor(program, owner, 'openid read');
  expect(first.claims()?.sub).toBe(String(owner.id));
  const me = await withToken(first.access_token, '/api/user');
  expect(me.statusCode, me.body).toBe(200);
  expect(me.json().data).toMatchObject({ id: owner.id, sip_password: null });
  const second = await oidc.refreshTokenGrant(program.config, first.refresh_token!);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect((await withToken(second.access_token, '/api/user')).statusCode).toBe(200);
  await expect(oidc.refreshTokenGrant(program.config, first.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect((await withToken(second.access_token, '/api/user')).statusCode).toBe(401);
  await expect(oidc.refreshTokenGrant(program.config, second.refresh_token!)).rejects.toThrow();
});

test('a token acts within its scopes, in the company it was given for, and manages no sign-in', async () => {
  const { owner, company } = await app.createCompany();
  const other = await app.createCompany();
  const { access_token: token } = await tokensFor(await createProgram(owner), owner, 'read');
  const list = (id: number) => withToken(token, `/api/companies/${id}/users`);
  expect((await list(company.id)).statusCode).toBe(200);
  expect((await list(other.company.id)).statusCode).toBe(404);
  const write = await withToken(token, `/api/companies/${company.id}/tags`, {
    method: 'POST',
    payload: { tags: [{ name: 'New' }] },
  });
  expect(write.statusCode).toBe(403);
  expect(write.json()).toMatchObject({ code: 'scope.missing' });
  expect(write.headers['www-authenticate']).toContain('insufficient_scope');
  expect((await withToken(token, '/api/sanctum/tokenSessions')).statusCode).toBe(403);
  const session = { method: 'POST', payload: { device_name: 'x' } } as const;
  expect((await withToken(token, '/api/sanctum/createTokenSession', session)).statusCode).toBe(401);
});

test('a token never exceeds its person’s role and dies with their deactivation', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const { access_token: token } = await tokensFor(await createProgram(owner), person, 'read admin');
  const edit = { method: 'POST', payload: { _method: 'PUT', name: 'Mine' } } as const;
  const refused = await withToken(token, `/api/company/${company.id}`, edit);
  // Their role has no `admin`, so the program didn’t get it.
  expect(refused.json()).toMatchObject({ code: 'scope.missing' });
  await app.services.db.systemTransaction((tx) =>
    tx
      .updateTable('membership')
      .set({ role: 'deactivated' })
      .where('user_id', '=', person.id)
      .execute(),
  );
  expect((await withToken(token, '/api/user')).statusCode).toBe(401);
});

test('a person lists and revokes what they authorized; no one else can', async () => {
  const { owner, company } = await app.createCompany();
  const colleague = await app.createPerson(company.id, 'administrator');
  const program = await createProgram(owner);
  const { access_token: token, refresh_token: refresh } = await tokensFor(program, owner, 'read');
  await withToken(token, '/api/user');
  const { body } = await app.as(owner).request(oauthProvider.listAuthorizations);
  expect(body.data).toMatchObject([
    { application: 'Harbor reports', company_id: company.id, scopes: ['read'] },
  ]);
  expect(body.data[0]?.last_used_at).not.toBeNull();
  const params = { id: body.data[0]!.id };
  const theirs = await app.as(colleague).request(oauthProvider.revokeAuthorization, { params });
  expect(theirs.status).toBe(404);
  const own = await app.as(owner).request(oauthProvider.revokeAuthorization, { params });
  expect(own.status).toBe(204);
  expect((await withToken(token, '/api/user')).statusCode).toBe(401);
  await expect(oidc.refreshTokenGrant(program.config, refresh!)).rejects.toThrow();
  expect((await app.as(owner).request(oauthProvider.listAuthorizations)).body.data).toEqual([]);
});

test('consent is refused for a company the person or the program does not belong to, and can be denied', async () => {
  const { owner } = await app.createCompany();
  const other = await app.createCompany();
  const program = await createProgram(owner);
  const foreign = await authorize(program, owner, 'read', {
    allow: true,
    for_company_id: other.company.id,
  });
  expect(foreign.decided.statusCode).toBe(404);
  const outsider = await authorize(program, other.owner, 'read');
  expect(outsider.context.companies).toEqual([]);
  expect(outsider.decided.statusCode).toBe(404);
  const denied = await authorize(program, owner, 'read', { allow: false });
  expect(denied.back?.searchParams.get('error')).toBe('access_denied');
});

test('a code works once, and its replay ends the tokens it gave', async () => {
  const { owner } = await app.createCompany();
  const program = await createProgram(owner);
  const { back, verifier } = await authorize(program, owner, 'read');
  const exchange = () =>
    oidc.authorizationCodeGrant(program.config, back!, { pkceCodeVerifier: verifier });
  const { access_token: token } = await exchange();
  await expect(exchange()).rejects.toMatchObject({ error: 'invalid_grant' });
  expect((await withToken(token, '/api/user')).statusCode).toBe(401);
});

test('a foreign redirect address gets no redirect, and no PKCE an error', async () => {
  const { owner } = await app.createCompany();
  const { clientId } = await createProgram(owner);
  const ask = (more: Record<string, string>) =>
    visitor().send(
      `/api/oauth/auth?${new URLSearchParams({ client_id: clientId, response_type: 'code', scope: 'read', redirect_uri: REDIRECT, ...more })}`,
    );
  const foreign = await ask({ redirect_uri: 'https://evil.test/' });
  expect(foreign.statusCode).toBe(400);
  expect(foreign.headers.location).toBeUndefined();
  const plain = await ask({});
  expect(String(plain.headers.location)).toMatch(/^https:\/\/program\.test\/callback\?error=/);
});

test('deleting a program ends the access through it', async () => {
  const { owner, company } = await app.createCompany();
  const program = await createProgram(owner);
  const { access_token: token } = await tokensFor(program, owner, 'read');
  const params = { companyId: company.id, id: program.id };
  const { status } = await app.as(owner).request(oauthProvider.deleteOAuthClient, { params });
  expect(status).toBe(204);
  expect((await withToken(token, '/api/user')).statusCode).toBe(401);
});

test('programs register themselves only where the operator allows it', async () => {
  const body = JSON.stringify({ redirect_uris: [REDIRECT] });
  const headers = { 'content-type': 'application/json' };
  expect(
    (await visitor().send('/api/oauth/reg', { method: 'POST', body, headers })).statusCode,
  ).toBe(404);
});
