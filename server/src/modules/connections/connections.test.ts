import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { oauthProvider, type OAuthVendor } from '../../adapters/oauth/oauth-provider.ts';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { createCtx, systemActor, systemCtx, type Ctx } from '../../platform/context.ts';
import {
  askWithConnection,
  beginConnecting,
  companyOfState,
  ConnectionUnusableError,
  disconnect,
  finishConnecting,
  listConnections,
} from './index.ts';

/** The provider: its tokens rotate, and a refresh token that was used is refused from then on. */
const oauth = new OAuth2Server();
await oauth.issuer.keys.generate('RS256');
await oauth.start(0, '127.0.0.1');
afterAll(() => oauth.stop());
const issuer = oauth.issuer.url!; // started
type Trouble = { statusCode: number; body: Record<string, unknown> };
let trouble: Trouble | null = null;
let grants: { type: string; refresh: string | undefined }[] = [];
let revoked: (string | null)[] = [];
const refreshTokens = new Set<string>();
const accessTokens = new Set<string>();
oauth.service.on(
  'beforeResponse',
  (response: Trouble, { body }: { body: Record<string, string> }) => {
    const used = body['refresh_token'];
    grants.push({ type: body['grant_type'] ?? '', refresh: used });
    if (trouble) return void Object.assign(response, trouble);
    if (used !== undefined && !refreshTokens.delete(used)) {
      const refusal = { error: 'invalid_grant', error_description: 'The token was used before.' };
      return void Object.assign(response, { statusCode: 400, body: refusal });
    }
    // Two tokens of one second would be the same.
    response.body['access_token'] = `access-${grants.length}-${Math.random()}`;
    refreshTokens.add(String(response.body['refresh_token']));
    accessTokens.add(String(response.body['access_token']));
  },
);
oauth.service.on('beforeRevoke', (response: { statusCode: number }, request: IncomingMessage) => {
  if (trouble) response.statusCode = trouble.statusCode;
  request.on('data', (part: Buffer) => {
    revoked.push(new URLSearchParams(String(part)).get('token'));
  });
});

/** The provider's API, which takes the tokens that the provider gave. */
let answers = 200;
const api = createServer((request, reply) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const status = accessTokens.has(token) ? answers : 401;
  reply.writeHead(status).end(JSON.stringify({ id: 'acct-1', name: 'Harbor Dental' }));
});
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
afterAll(() => api.close());
const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;

const vendor: OAuthVendor = {
  name: 'test',
  label: 'Test CRM',
  endpoints: {
    issuer,
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    revocation: `${issuer}/revoke`,
  },
  clientId: 'client',
  clientSecret: 'secret',
  scopes: ['contacts.write', 'calls.write'],
  account: async (token, http) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await http.request(apiUrl, { headers });
    if (status !== 200) throw new Error(`It answered ${status}.`);
    const { id, name } = JSON.parse(String(body)) as { id: string; name: string };
    return { externalId: id, name, email: null };
  },
  onThisMachine: true,
};
const unreachable = { ...vendor.endpoints, token: 'http://127.0.0.1:1/token' };
/** Renewals that are on their way wait until the test lets them pass. */
let passed: Promise<void> = Promise.resolve();
let onTheirWay = 0;
const provider = oauthProvider(vendor);
const held: OAuthProvider = {
  ...provider,
  refresh: async (token) => {
    onTheirWay += 1;
    await passed;
    return provider.refresh(token);
  },
};
const providers = new Map([
  ['test', held],
  ['other', oauthProvider({ ...vendor, name: 'other' })],
  ['gone', oauthProvider({ ...vendor, name: 'gone', endpoints: unreachable })],
]);
const app = await createTestApp({ clock: 'still', ports: { oauth: providers } });
const redirectUri = 'https://phones.test/api/oauth-integrations/test/callback';

beforeEach(() => {
  [trouble, grants, revoked, answers] = [null, [], [], 200];
});
/** A person in a browser; each session is another number. */
let sessions = 0;
const inBrowser = (person: TestPerson, sessionId = ++sessions): Ctx =>
  createCtx(
    app.services,
    {
      companyId: person.companyId,
      actor: { ...systemActor, kind: 'user', userId: person.id, sessionId },
      roles: ['owner'],
      grant: 'all',
      numbers: null,
      requestId: 'test',
    },
    app.notifier,
  );
const inJob = (person: TestPerson): Ctx => systemCtx(app.services, person.companyId, app.notifier);
const begin = (ctx: Ctx, provider = 'test') =>
  ctx.transaction((t) => beginConnecting(t, { provider, redirectUri }));
/** What the browser brings back from the provider's consent page. */
async function consent(url: string): Promise<URLSearchParams> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams;
}
async function connect(person: TestPerson) {
  const ctx = inBrowser(person);
  const callback = await consent((await begin(ctx)).url);
  const outcome = await finishConnecting(ctx, { provider: 'test', callback });
  if (!('connected' in outcome)) throw new Error(outcome.text);
  return outcome.connected;
}
const ask = (ctx: Ctx, id: number, use = askWithConnection) =>
  use(ctx, id, async (token) => {
    const answer = await fetch(apiUrl, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    return { status: answer.status, token };
  });
const stateOf = async (person: TestPerson, id: number) => {
  const all = await inJob(person).transaction(listConnections);
  return all.find((one) => one.id === id);
};
// Only the owner sees what others wait for.
const owners = new pg.Client({ connectionString: app.services.settings.databaseUrl! }); // a test's own
await owners.connect();
owners.on('error', () => {});
afterAll(() => owners.end());
const waitingForRows = async () => {
  const { rowCount } = await owners.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};
const refreshes = () => grants.filter(({ type }) => type === 'refresh_token').length;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof ConnectionUnusableError ? error.code : String(error)),
  );

describe('connecting', () => {
  test('a person says yes, the account is known, and its tokens are stored sealed', async () => {
    const { owner } = await app.createCompany();
    const ctx = inBrowser(owner);
    const { url, state } = await begin(ctx);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: redirectUri,
      scope: 'contacts.write calls.write',
      code_challenge_method: 'S256',
      state,
    });
    expect(companyOfState(state)).toBe(owner.companyId);
    const outcome = await finishConnecting(ctx, { provider: 'test', callback: await consent(url) });
    expect(outcome).toMatchObject({
      connected: {
        provider: 'test',
        account: { external_id: 'acct-1', name: 'Harbor Dental' },
        status: 'connected',
        created_by: owner.id,
      },
    });
    expect(JSON.stringify(outcome)).not.toMatch(/access-|token/);
    const { db } = app.services;
    const row = await db.unscoped
      .selectFrom('connection')
      .selectAll()
      .where('company_id', '=', owner.companyId)
      .executeTakeFirstOrThrow();
    expect(row.tokens_sealed).not.toContain('access-');
    const attempts = db.unscoped.selectFrom('connection_attempt').selectAll();
    expect(await attempts.where('company_id', '=', owner.companyId).execute()).toEqual([]);
    expect((await ask(inJob(owner), row.id)).status).toBe(200);
  });

  test('a state serves once, in time, its own session, company and provider', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    const mine = inBrowser(owner);
    const callback = await consent((await begin(mine)).url);
    const finish = (ctx: Ctx, provider = 'test', query = callback) =>
      finishConnecting(ctx, { provider, callback: query });
    const refused = { failed: 'state' };
    expect(await finish(inBrowser(owner)), 'another session').toMatchObject(refused);
    expect(await finish(inBrowser(other.owner)), 'another company').toMatchObject(refused);
    expect(await finish(mine, 'other'), 'another provider').toMatchObject(refused);
    const forged = new URLSearchParams({ code: 'x', state: `${owner.companyId}.tlo_forged` });
    expect(await finish(mine, 'test', forged), 'a state of nobody').toMatchObject(refused);
    expect(await finish(mine, 'test', new URLSearchParams()), 'none').toMatchObject(refused);
    expect(grants, 'the provider was not asked').toEqual([]);
    expect(await finish(mine)).toHaveProperty('connected');
    expect(await finish(mine), 'a second time').toMatchObject(refused);
    const late = await consent((await begin(mine)).url);
    app.clock.advance(601);
    const later = inBrowser(owner, mine.actor.sessionId);
    expect(await finish(later, 'test', late), 'too late').toMatchObject(refused);
  });

  test('a code of another attempt is refused by the provider (PKCE)', async () => {
    const { owner } = await app.createCompany();
    const ctx = inBrowser(owner);
    const [first, second] = [await begin(ctx), await begin(ctx)];
    const stolen = (await consent(first.url)).get('code') ?? '';
    const callback = new URLSearchParams({ code: stolen, state: second.state });
    expect(await finishConnecting(ctx, { provider: 'test', callback })).toHaveProperty('failed');
    expect(await inJob(owner).transaction(listConnections)).toEqual([]);
  });

  test('a person who says no, and a provider that is away, leave nothing behind', async () => {
    const { owner } = await app.createCompany();
    const ctx = inBrowser(owner);
    const no = new URLSearchParams({ error: 'access_denied', state: (await begin(ctx)).state });
    expect(await finishConnecting(ctx, { provider: 'test', callback: no })).toEqual({
      failed: 'refused',
      text: 'access_denied',
    });
    trouble = { statusCode: 503, body: {} };
    const down = await consent((await begin(ctx)).url);
    const away = { failed: 'away' };
    expect(await finishConnecting(ctx, { provider: 'test', callback: down })).toMatchObject(away);
    const gone = await consent((await begin(ctx, 'gone')).url);
    expect(await finishConnecting(ctx, { provider: 'gone', callback: gone })).toMatchObject(away);
    expect(await inJob(owner).transaction(listConnections)).toEqual([]);
  });
});

describe('a connection in use', () => {
  test('a token that ended is renewed, and the rotated refresh token serves the next time', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    for (let round = 1; round <= 3; round++) {
      app.clock.advance(3600);
      expect((await ask(inJob(owner), id)).status).toBe(200);
      expect((await ask(inJob(owner), id)).status).toBe(200);
      expect(refreshes(), 'once each time').toBe(round);
    }
  });

  test('two processes that find the token ended renew it once', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    app.clock.advance(3600);
    // Another process has modules of its own, and with them no lock in common but the row's.
    const copy = './use-connection.ts?another-process';
    const other = (await import(copy)) as typeof import('./use-connection.ts');
    expect(other.askWithConnection).not.toBe(askWithConnection);
    onTheirWay = 0;
    let pass = () => {};
    passed = new Promise((resolve) => {
      pass = resolve;
    });
    const asking = [
      ask(inJob(owner), id),
      ask(inJob(owner), id, other.askWithConnection),
      ask(inJob(owner), id),
      ask(inJob(owner), id, other.askWithConnection),
    ];
    // Both are there: one asks the provider, and the other waits for the row (or asks as well).
    await expect.poll(async () => onTheirWay + (await waitingForRows())).toBe(2);
    pass();
    const answered = await Promise.all(asking);
    expect(refreshes()).toBe(1);
    expect(new Set(answered.map((answer) => answer.token)).size).toBe(1);
    expect((await stateOf(owner, id))?.status).toBe('connected');
  });

  test('a token that is refused before its time is renewed once, and the question asked again', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    accessTokens.clear();
    const both = await Promise.all([ask(inJob(owner), id), ask(inJob(owner), id)]);
    expect([both.map(({ status }) => status), refreshes()]).toEqual([[200, 200], 1]);
  });

  test('a grant that is refused needs a person; the same account is used again afterwards', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    refreshTokens.clear();
    app.clock.advance(3600);
    expect(await codeOf(ask(inJob(owner), id))).toBe('needs_reconnect');
    expect(await stateOf(owner, id)).toMatchObject({
      status: 'needs_reconnect',
      last_error: { text: 'The token was used before.' },
    });
    const asked = grants.length;
    expect(await codeOf(ask(inJob(owner), id))).toBe('needs_reconnect');
    expect(grants.length, 'the provider is left alone').toBe(asked);
    expect((await connect(owner)).id).toBe(id);
    expect((await ask(inJob(owner), id)).status).toBe(200);
    expect(await stateOf(owner, id)).toMatchObject({ status: 'connected', last_error: null });
  });

  test('while the provider is down the current token works until it expires; then the failure is recorded, and it recovers', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    trouble = { statusCode: 503, body: { error: 'temporarily_unavailable' } };
    app.clock.advance(3570);
    expect((await ask(inJob(owner), id)).status, 'thirty seconds are left').toBe(200);
    app.clock.advance(31);
    expect(await codeOf(ask(inJob(owner), id))).toBe('away');
    expect((await stateOf(owner, id))?.status).toBe('failing');
    trouble = null;
    expect((await ask(inJob(owner), id)).status).toBe(200);
    expect(await stateOf(owner, id)).toMatchObject({
      status: 'connected',
      last_worked_at: app.clock.value,
    });
  });

  test('an API that fails is the connection’s health; a refusal of one request is not', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    answers = 422;
    await ask(inJob(owner), id);
    expect((await stateOf(owner, id))?.status).toBe('connected');
    answers = 500;
    await ask(inJob(owner), id);
    expect(await stateOf(owner, id)).toMatchObject({
      status: 'failing',
      last_error: { text: 'It answered 500.' },
    });
    const broken = askWithConnection(inJob(owner), id, () => Promise.reject(new Error('reset')));
    await expect(broken).rejects.toThrow('reset');
    expect((await stateOf(owner, id))?.last_error?.text).toBe('reset');
  });
});

describe('disconnecting', () => {
  test('erases the tokens here and asks the provider to forget them', async () => {
    const { owner } = await app.createCompany();
    const { id } = await connect(owner);
    const last = [...refreshTokens].at(-1);
    expect(await disconnect(inBrowser(owner), id)).toEqual({ revoked: true });
    await expect.poll(() => revoked).toEqual([last]);
    expect((await stateOf(owner, id))?.status).toBe('disconnected');
    expect(await codeOf(ask(inJob(owner), id))).toBe('disconnected');
    expect(await disconnect(inBrowser(owner), id), 'a second time').toEqual({ revoked: false });
    expect((await connect(owner)).id).toBe(id);
    trouble = { statusCode: 503, body: {} };
    expect(await disconnect(inBrowser(owner), id), 'a provider that is down').toEqual({
      revoked: false,
    });
    expect((await stateOf(owner, id))?.status).toBe('disconnected');
  });

  test('a connection of another company is not there', async () => {
    const [{ owner }, other] = [await app.createCompany(), await app.createCompany()];
    const { id } = await connect(owner);
    expect(await codeOf(ask(inJob(other.owner), id))).toBe('disconnected');
    await expect(disconnect(inBrowser(other.owner), id)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await stateOf(owner, id))?.status).toBe('connected');
  });
});
