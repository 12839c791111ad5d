import { expect, test } from 'vitest';
import { identity } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { networkOf } from './network.ts';

// Behind a proxy of its own, reached by https: what depends on addresses and cookies shows as it
// does in production.
const app = await createTestApp({
  env: { PUBLIC_URL: 'https://phones.test', TRUST_PROXY: '10.1.0.0/16,loopback' },
});
const password = 'trunkline-demo';

/** Sign in as a program does, from an address. */
const signIn = (
  email: string,
  said: string,
  from = '198.51.100.1',
  headers: Record<string, string> = {},
) =>
  app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email, password: said },
    remoteAddress: from,
    headers,
  });
const counted = (answers: readonly { status: number }[]) =>
  Object.fromEntries(
    [...new Set(answers.map((a) => a.status))]
      .toSorted()
      .map((status) => [status, answers.filter((a) => a.status === status).length]),
  );
/** Work that watches whether anybody waits for one of the system's connections meanwhile. */
async function withoutWaiting<T>(work: Promise<T>): Promise<T> {
  let done = false;
  let most = 0;
  const watched = work.finally(() => {
    done = true;
  });
  while (!done) {
    most = Math.max(most, app.services.db.pool.waitingCount);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBe(0);
  return watched;
}

test('of 120 concurrent wrong passwords from different addresses, ten are verified, and no one waits for the database', async () => {
  const { owner } = await app.createCompany();
  const all = await withoutWaiting(
    Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        signIn(owner.email, `wrong ${i}`, `198.51.100.${i + 1}`),
      ),
    ),
  );
  expect(counted(all)).toEqual({ 422: 10, 429: 110 });
  const { rows } = await app.services.db.pool.query(
    'select count(*)::int n from login_attempt where email_key = $1',
    [owner.email],
  );
  expect(rows[0].n).toBe(10);
});

test('a flood from one network doesn’t make another wait, and only the flood is refused', async () => {
  const { owner } = await app.createCompany();
  let verified = 0;
  const flood = Array.from({ length: 160 }, async (_, i) => {
    const { status } = await signIn(`flood-${i}@example.com`, 'wrong', '198.18.0.9');
    if (status === 422) verified++;
    return status;
  });
  expect((await signIn(owner.email, password, '198.18.0.200')).status).toBe(200);
  expect(verified).toBeLessThan(8);
  const statuses = await Promise.all(flood);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
});

test('while one account is locked, others can sign in, also many at once to one account', async () => {
  const [{ owner: locked }, { owner: other }] = [
    await app.createCompany(),
    await app.createCompany(),
  ];
  const attack = Array.from({ length: 30 }, (_, i) =>
    signIn(locked.email, 'wrong', `203.0.113.${i + 1}`),
  );
  const fine = Array.from({ length: 15 }, (_, i) =>
    signIn(other.email, password, `192.0.2.${i + 1}`),
  );
  expect(counted(await Promise.all(fine))).toEqual({ 200: 15 });
  expect(counted(await Promise.all(attack))).toEqual({ 422: 10, 429: 20 });
  expect((await signIn(locked.email, password, '192.0.2.77')).status).toBe(429);
});

test('fifty wrong passwords from one network lock that network and no other', async () => {
  const { owner } = await app.createCompany();
  const from = (i: number) => `2001:db8:5:6::${(i + 1).toString(16)}`;
  const all = await Promise.all(
    Array.from({ length: 70 }, (_, i) => signIn(`nobody${i}@network.test`, 'wrong', from(i))),
  );
  expect(counted(all)).toEqual({ 422: 50, 429: 20 });
  expect((await signIn(owner.email, password, from(99))).body).toMatchObject({
    code: 'login.locked',
  });
  expect((await signIn(owner.email, password, '2001:db8:5:7::1')).status).toBe(200);
  app.clock.advance(15 * 60 + 1);
  expect((await signIn(owner.email, password, from(99))).status).toBe(200);
});

test('a network is an IPv4 address or the /64 of an IPv6 one', () => {
  expect(
    [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '2001:0db8:5:6::1',
      '2001:db8:5:6:a:b:c:d',
      'fe80::1%eth0',
      '::1',
    ].map(networkOf),
  ).toEqual([
    '203.0.113.7',
    '203.0.113.7',
    '2001:db8:5:6::/64',
    '2001:db8:5:6::/64',
    'fe80:0:0:0::/64',
    '0:0:0:0::/64',
  ]);
});

const addressesOf = async (person: TestPerson) =>
  (await app.as(person).request(identity.listTokenSessions)).body.data.map((s) => s.ip);

test('only a trusted proxy can set the client address', async () => {
  const forwarded = { 'x-forwarded-for': '6.6.6.6, 203.0.113.7' };
  const { owner } = await app.createCompany();
  await signIn(owner.email, password, '10.1.2.3', forwarded);
  expect(await addressesOf(owner)).toContain('203.0.113.7');
  await signIn(owner.email, password, '198.51.100.9', forwarded);
  expect(await addressesOf(owner)).toContain('198.51.100.9');
  expect(await addressesOf(owner)).not.toContain('6.6.6.6');
});

/** The XSRF cookie as `name=value`, and what a page sends of it. */
async function xsrf() {
  const cookie = String(
    (await app.as(null).inject({ method: 'GET', url: '/api/csrf-cookie' })).headers['set-cookie'],
  ).split(';')[0]!;
  return { cookie, 'x-xsrf-token': decodeURIComponent(cookie.slice('XSRF-TOKEN='.length)) };
}

test('other sites can’t sign their visitors in, neither by a form nor with a token of their own', async () => {
  const { owner } = await app.createCompany();
  const token = await xsrf();
  const from = (headers: Record<string, string>) =>
    signIn(owner.email, password, '198.51.100.2', headers);
  for (const foreign of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://old.phones.test' },
  ]) {
    const refused = await from({ host: 'phones.test', ...foreign, ...token });
    expect(refused.body).toMatchObject({ status: 403, code: 'cross_site' });
    expect(refused.headers['set-cookie']).toBeUndefined();
  }
  const form = [
    '--x',
    'content-disposition: form-data; name="email"',
    '',
    owner.email,
    '--x',
    'content-disposition: form-data; name="password"',
    '',
    password,
    '--x--',
    '',
  ].join('\r\n');
  const posted = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: form,
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      origin: 'https://evil.test',
      'sec-fetch-site': 'cross-site',
    },
  });
  expect(posted.status).toBe(403);
  // Our own page needs its token; with it, and without any of this as a program, one comes in.
  for (const own of [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://phones.test' },
    { origin: 'http://10.0.0.8:3000', host: '10.0.0.8:3000' },
  ]) {
    expect((await from(own)).body).toMatchObject({ status: 403, code: 'csrf_mismatch' });
    expect((await from({ ...own, ...token })).status).toBe(200);
  }
  expect((await from({})).status).toBe(200);
});

test('every public write that sets a cookie is protected against that', async () => {
  const elsewhere = { origin: 'https://evil.test' };
  for (const [url, payload] of [
    ['/api/client/signup', { email: 'new@cross.test', password: 'a long enough sentence' }],
    ['/api/sanctum/createTokenSession', { refresh_token: 'tlr_x' }],
  ] as const)
    expect(
      (await app.as(null).inject({ method: 'POST', url, payload, headers: elsewhere })).body,
    ).toMatchObject({ code: 'cross_site' });
});

test('over https the session cookie can only be set by this very host', async () => {
  const { owner } = await app.createCompany();
  const cookie = String((await signIn(owner.email, password)).headers['set-cookie']);
  expect(cookie).toMatch(
    /^__Host-trunkline_session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const session = cookie.split(';')[0]!;
  const me = (sent: string) =>
    app.as(null).inject({ method: 'GET', url: '/api/user', headers: { cookie: sent } });
  expect((await me(session)).status).toBe(200);
  expect((await me(session.replace('__Host-', ''))).status).toBe(401);
  const { cookie: xsrfCookie, ...header } = await xsrf();
  const out = await app.as(null).inject({
    method: 'GET',
    url: '/api/sanctum/logout',
    headers: { cookie: `${session}; ${xsrfCookie}`, ...header },
  });
  expect(String(out.headers['set-cookie'])).toMatch(
    /^__Host-trunkline_session=; .*Path=\/.*Secure/,
  );
});
