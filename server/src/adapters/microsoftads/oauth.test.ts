import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { connections, oauthIntegrations as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

/** Microsoft's sign-in and its customer service, in their words. */
const asked: { path: string; form: URLSearchParams; headers: Record<string, unknown> }[] = [];
/** What the token endpoint refuses, as OAuth names it; null: nothing. */
let refuses: string | null = null;
let customer = { status: 200, body: {} as object };
let tokens = 0;
const vendor = createServer((request, reply) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const path = new URL(request.url ?? '', 'http://microsoft').pathname;
    const form = new URLSearchParams(String(Buffer.concat(parts)));
    asked.push({ path, form, headers: request.headers });
    const isToken = path === '/common/oauth2/v2.0/token';
    if (isToken) tokens += 1;
    const granted = {
      token_type: 'Bearer',
      scope: 'https://ads.microsoft.com/msads.manage',
      expires_in: 3599,
      access_token: `access-${tokens}`,
      // Microsoft gives another one each time.
      refresh_token: `refresh-${tokens}`,
    };
    const refusal = { error: refuses, error_description: 'AADSTS70008: It has expired.' };
    const { status, body } = isToken
      ? { status: refuses ? 400 : 200, body: refuses ? refusal : granted }
      : customer;
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
afterAll(() => void vendor.close());
const app = await createTestApp({
  env: {
    PUBLIC_URL: 'https://phones.test',
    MICROSOFT_ADS_CLIENT_ID: 'client',
    MICROSOFT_ADS_CLIENT_SECRET: 'secret',
    MICROSOFT_ADS_DEVELOPER_TOKEN: 'developer',
    MICROSOFT_ADS_API_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
  },
});
beforeEach(() => {
  asked.length = 0;
  refuses = null;
  customer = {
    status: 200,
    body: { User: { Id: 7, UserName: 'harbor', ContactInfo: { Email: 'ann@harbor.example' } } },
  };
});

const begin = async (owner: TestPerson) =>
  (
    await app.as(owner).request(connections.redirectToOAuthProvider, {
      params: { companyId: owner.companyId, provider: 'microsoftads' },
    })
  ).body.data;
/** Comes back from Microsoft's page; where the person ends up. */
const comeBack = async (owner: TestPerson, state: string, query = 'code=c0de'): Promise<string> => {
  const url = `/api/oauth-integrations/microsoftads/callback?${query}&state=${state}`;
  const { headers } = await app.as(owner).inject({ method: 'GET', url });
  return String(headers['location']);
};
const connected = async (owner: TestPerson) => {
  expect(await comeBack(owner, (await begin(owner)).state)).toContain('outcome=connected');
  return account(owner);
};
const account = async (owner: TestPerson) => {
  const params = { companyId: owner.companyId };
  const { body } = await app.as(owner).request(contract.listOAuthIntegrations, { params });
  return body.data[0];
};
/** Reads the account again, as its page's button does. */
const read = async (owner: TestPerson, id: number) => {
  const params = { companyId: owner.companyId, id };
  await app.as(owner).request(contract.syncOAuthIntegration, { params });
  await app.drainJobs();
};

test('a person is sent to Microsoft with what its page needs, and comes back connected', async () => {
  const { owner } = await app.createCompany();
  const { url, state } = await begin(owner);
  const page = new URL(url);
  expect(page.pathname).toBe('/common/oauth2/v2.0/authorize');
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    ...{ client_id: 'client', response_type: 'code', code_challenge_method: 'S256', state },
    scope: 'https://ads.microsoft.com/msads.manage offline_access',
    redirect_uri: 'https://phones.test/api/oauth-integrations/microsoftads/callback',
  });
  expect(await comeBack(owner, state)).toContain('outcome=connected');
  const [token, user] = asked;
  expect(Object.fromEntries(token?.form ?? [])).toMatchObject({
    ...{ grant_type: 'authorization_code', code: 'c0de' },
    ...{ client_id: 'client', client_secret: 'secret' },
  });
  // The verifier of the challenge that the page was given.
  expect(token?.form.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
  expect(user?.path).toBe('/CustomerManagement/v13/User/Query');
  expect(user?.headers).toMatchObject({
    ...{ authorization: `Bearer access-${tokens}`, developertoken: 'developer' },
  });
  expect(await account(owner)).toMatchObject({
    ...{ provider: 'microsoftads', status: 'connected' },
    account: { external_id: '7', name: 'harbor', email: 'ann@harbor.example' },
    scopes: ['https://ads.microsoft.com/msads.manage'],
  });
});

test('who declines, comes back twice or from another session isn’t connected', async () => {
  const { owner } = await app.createCompany();
  const { owner: stranger } = await app.createCompany();
  const declined = await begin(owner);
  expect(await comeBack(owner, declined.state, 'error=access_denied')).toContain('outcome=failed');
  const { state } = await begin(owner);
  expect(await comeBack(stranger, state)).toContain('outcome=failed');
  expect(asked).toEqual([]);
  await connected(owner);
  const asking = asked.length;
  const again = await begin(owner);
  await comeBack(owner, again.state);
  expect(await comeBack(owner, again.state)).toContain('outcome=failed&reason=state');
  expect(asked).toHaveLength(asking + 2);
  expect(await account(stranger)).toBeUndefined();
});

test.each([
  ['a code that Microsoft refuses', () => (refuses = 'invalid_grant'), 'reason=refused'],
  [
    'a person whom its API doesn’t know',
    () => (customer = { status: 400, body: {} }),
    'reason=away',
  ],
])('%s connects nothing and says so', async (_, trouble, reason) => {
  const { owner } = await app.createCompany();
  const { state } = await begin(owner);
  trouble();
  const back = await comeBack(owner, state);
  expect(back).toContain('outcome=failed');
  expect(back).toContain(reason);
  expect(await account(owner)).toBeUndefined();
});

test('access that expires is renewed with the newest refresh token, each used once', async () => {
  const { owner } = await app.createCompany();
  const { id = 0 } = (await connected(owner)) ?? {};
  for (let n = 0; n < 2; n++) {
    const newest = `refresh-${tokens}`;
    app.clock.advance(4000);
    asked.length = 0;
    await read(owner, id);
    const renewals = asked.filter(({ path }) => path.endsWith('/token'));
    expect(renewals.map(({ form }) => form.get('refresh_token'))).toEqual([newest]);
    expect(asked.at(-1)?.headers['authorization']).toBe(`Bearer access-${tokens}`);
  }
  expect(await account(owner)).toMatchObject({ status: 'connected' });
});

test('access that was revoked at Microsoft says to connect again, and connecting mends it', async () => {
  const { owner } = await app.createCompany();
  const { id = 0 } = (await connected(owner)) ?? {};
  refuses = 'invalid_grant';
  app.clock.advance(4000);
  await read(owner, id);
  expect(await account(owner)).toMatchObject({
    status: 'expired',
    last_error: { code: 'access_ended' },
  });
  refuses = null;
  expect(await connected(owner)).toMatchObject({ id, status: 'connected', last_error: null });
});

test('disconnecting erases the tokens here; Microsoft has no way to be told', async () => {
  const { owner } = await app.createCompany();
  const { id = 0 } = (await connected(owner)) ?? {};
  asked.length = 0;
  const removed = await app.as(owner).request(contract.removeOAuthIntegration, {
    params: { companyId: owner.companyId, id },
  });
  expect(removed.body.data.revoked).toBe(false);
  expect(asked).toEqual([]);
  const { rows } = await app.services.db.pool.query(
    'select tokens_sealed from connection where company_id = $1',
    [owner.companyId],
  );
  expect(rows).toEqual([{ tokens_sealed: null }]);
  expect(await account(owner)).toBeUndefined();
});
