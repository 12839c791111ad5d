import type { CustomFetch } from 'openid-client';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  createBrowser,
  createIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { openIdProvider } from '../../../adapters/openid/openid-provider.ts';

const own = await createIdentityProvider('openid');
const other = await createIdentityProvider('other');
afterAll(() => Promise.all([own.server.stop(), other.server.stop()]));
const away = openIdProvider({
  name: 'away',
  label: 'Away',
  issuer: 'http://127.0.0.1:1',
  clientId: 'client',
  clientSecret: 'secret',
});
const providers = [own.provider, other.provider, away];
const app = await createTestApp({
  ports: { signIn: new Map(providers.map((provider) => [provider.name, provider])) },
});
const { owner } = await app.createCompany();
const claims = { sub: 'ann', email: owner.email, email_verified: true };
own.says(claims);
const linking = createBrowser(app);
const begun = await linking.send('POST', '/user/sign-in-methods/openid', owner);
await linking.send('GET', await linking.atProvider(begun.body.data.url));
expect((await linking.send('POST', '/user/sign-in-methods', owner)).status).toBe(200);

beforeEach(() => {
  own.says(claims);
  other.says(claims);
});
/** The outcome of opening this callback, which must leave nothing to finish with. */
async function refusedAs(browser: ReturnType<typeof createBrowser>, callback: string) {
  const answer = await browser.send('GET', callback);
  expect(answer.status).toBe(302);
  const page = browser.pathOf(answer);
  expect(page['path']).toBe('/login');
  expect((await browser.send('POST', '/sanctum/external', { body: {} })).status).toBe(422);
  return page['external'];
}
const changed = (callback: string, name: string, value: string | null): string => {
  const url = new URL(callback, 'http://app.test');
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
};

test('a wrong, missing or repeated state is refused, without asking the provider', async () => {
  const before = own.exchanges();
  for (const state of ['tlx_wrong', null, '\u0000', 'x'.repeat(3000)]) {
    const browser = createBrowser(app);
    expect(await refusedAs(browser, changed(await browser.visit('openid'), 'state', state))).toBe(
      'expired',
    );
  }
  const browser = createBrowser(app);
  const callback = await browser.visit('openid');
  expect(await refusedAs(browser, `${callback}&state=tlx_second`)).toBe('refused');
  expect(own.exchanges()).toBe(before);
});

test('a return is used once: also of ten at once, and never by another browser', async () => {
  const browser = createBrowser(app);
  const callback = await browser.visit('openid');
  const thief = createBrowser(app);
  await thief.visit('openid');
  expect(await refusedAs(thief, callback)).toBe('expired');
  const before = own.exchanges();
  const all = await Promise.all(Array.from({ length: 10 }, () => browser.send('GET', callback)));
  expect(all.map((a) => browser.pathOf(a)['external']).toSorted()).toEqual([
    ...Array<string>(9).fill('expired'),
    'signed_in',
  ]);
  expect(own.exchanges()).toBe(before + 1);
  expect((await browser.send('POST', '/sanctum/external', { body: {} })).status).toBe(200);
  browser.cookies.delete('trunkline_session');
  expect(await refusedAs(browser, callback)).toBe('expired');
});

test('someone else’s code doesn’t sign in here (their verifier and nonce are other ones)', async () => {
  const [victim, attacker] = [createBrowser(app), createBrowser(app)];
  const stolen = new URL(await attacker.visit('openid'), 'http://app.test').searchParams;
  const injected = changed(await victim.visit('openid'), 'code', stolen.get('code'));
  expect(await refusedAs(victim, injected)).toBe('refused');
});

test('an ID token with a foreign nonce, issuer, audience or time is refused', async () => {
  const now = Math.floor(Date.now() / 1000);
  for (const wrong of [
    { nonce: 'another' },
    { nonce: null },
    { iss: other.issuer },
    { iss: 'https://accounts.google.com' },
    { aud: 'another client' },
    { aud: ['client', 'another'], azp: 'another' },
    { exp: now - 3600 },
    { iat: now - 7200, exp: now - 3600 },
    { sub: '' },
    { sub: null },
  ]) {
    own.says({ ...claims, ...wrong });
    const browser = createBrowser(app);
    expect([wrong, await refusedAs(browser, await browser.visit('openid'))]).toEqual([
      wrong,
      'refused',
    ]);
  }
});

test('a token signed with another key is refused', async () => {
  const impostor = await createIdentityProvider('impostor');
  impostor.says({ ...claims, iss: own.issuer });
  // Its own keys, under the issuer and endpoints of the true one's metadata.
  const fetchImpostor: CustomFetch = (url, options) =>
    fetch(
      url.endsWith('/token') ? url.replace(own.issuer, impostor.issuer) : url,
      options as RequestInit,
    );
  const provider = openIdProvider({
    name: 'forged',
    label: 'Forged',
    issuer: own.issuer,
    clientId: 'client',
    clientSecret: 'secret',
    fetch: fetchImpostor,
  });
  const page = await provider.authorizationUrl({
    state: 's',
    nonce: 'n',
    codeVerifier: 'v'.repeat(43),
    redirectUri: 'http://app.test/callback',
  });
  const back = await fetch(page!.replace(own.issuer, impostor.issuer), { redirect: 'manual' });
  const callback = new URL(back.headers.get('location')!).searchParams;
  const answer = await provider.identify({
    callback,
    state: 's',
    nonce: 'n',
    codeVerifier: 'v'.repeat(43),
    redirectUri: 'http://app.test/callback',
  });
  expect(answer.state).toBe('refused');
  await impostor.server.stop();
});

test('a return to another provider’s address, or one that names another issuer, is refused', async () => {
  const mixed = createBrowser(app);
  const callback = (await mixed.visit('openid')).replace('/oauth/openid/', '/oauth/other/');
  expect(await refusedAs(mixed, callback)).toBe('expired');
  const named = createBrowser(app);
  const withIss = `${await named.visit('openid')}&iss=${encodeURIComponent(other.issuer)}`;
  expect(await refusedAs(named, withIss)).toBe('refused');
  // The same subject at another issuer is another person.
  const elsewhere = createBrowser(app);
  expect(await elsewhere.comeThrough('other')).toMatchObject({ external: 'link' });
});

test('afterwards only pages of this app open', async () => {
  for (const next of [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/%5C/../\\evil.test',
    'javascript:alert(1)',
    '/\t/evil.test',
    '\u0000',
    '',
    `/${'x'.repeat(2000)}`,
  ]) {
    const page = await createBrowser(app).comeThrough('openid', next);
    expect([next, page['external'], page['next']]).toEqual([next, 'signed_in', '/']);
  }
});

test('a person who says no, an error of the provider’s, and one that is away are told apart', async () => {
  const said = async (error: string) => {
    const browser = createBrowser(app);
    const callback = await browser.visit('openid');
    const { searchParams } = new URL(callback, 'http://app.test');
    const query = new URLSearchParams({ state: searchParams.get('state')!, error });
    return refusedAs(browser, `/oauth/openid/callback?${query}`);
  };
  expect(await said('access_denied')).toBe('canceled');
  expect(await said('server_error')).toBe('refused');
  const browser = createBrowser(app);
  const begun = await browser.send('GET', '/oauth/away/redirect?next=/calls');
  expect(browser.pathOf(begun)).toMatchObject({ path: '/login', external: 'away', next: '/calls' });
  expect((await browser.send('GET', '/oauth/nobody/redirect')).body.code).toBe(
    'sign_in.unknown_provider',
  );
  const linked = await browser.send('POST', '/user/sign-in-methods/away', owner);
  expect(linked.body).toMatchObject({ status: 503, code: 'sign_in.provider_away' });
});

test('ten minutes are enough, and the end', async () => {
  const browser = createBrowser(app);
  const callback = await browser.visit('openid');
  app.clock.advance(10 * 60 + 1);
  expect(await refusedAs(browser, callback)).toBe('expired');
});

test('another site can’t finish a sign-in, and floods are slowed', async () => {
  const browser = createBrowser(app);
  await browser.comeThrough('openid');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const posted = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/external',
    payload: {},
    headers: { cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  });
  expect(posted.body.code).toBe('cross_site');
  const flood = await Promise.all(
    Array.from({ length: 80 }, () => browser.send('GET', '/oauth/openid/callback?state=x')),
  );
  expect(flood.filter((a) => a.status === 429).length).toBeGreaterThan(15);
});

test('a browser that came by another address of ours moves to the public one, once', async () => {
  const send = (url: string) =>
    app.as(null).inject({ method: 'GET', url, headers: { host: 'phones.customer.test' } });
  const moved = await send('/api/oauth/openid/redirect?next=/calls');
  const { publicUrl } = app.services.settings;
  expect(moved.headers['location']).toBe(
    `${publicUrl}/api/oauth/openid/redirect?next=%2Fcalls&on=public`,
  );
  const second = await send(String(moved.headers['location']).slice(publicUrl.length));
  expect(String(second.headers['location'])).toMatch(new RegExp(`^${own.issuer}`));
});
