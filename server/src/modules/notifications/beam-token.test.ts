import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { accessTokens, companies, identity, notifications } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

/** A token that registers push devices for its person, and opens nothing else. */
const app = await createTestApp();
const keys = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
};
const endpointOf = (name: string) => `https://fcm.googleapis.com/fcm/send/${name}`;
const subscribe = (who: TestPerson, name: string) =>
  app.as(who).request(notifications.subscribeWebPush, {
    body: { endpoint: endpointOf(name), keys },
  });
const beamOf = async (who: TestPerson): Promise<TestPerson> => ({
  ...who,
  token: (await app.as(who).request(identity.getBeamToken)).body.token,
});
const ownersOf = async (name: string) =>
  (
    await app.services.db.pool.query<{ person_id: string }>(
      'select person_id from push_device where token = $1 and expired_at is null',
      [endpointOf(name)],
    )
  ).rows.map((row) => Number(row.person_id));

test('it registers and removes devices of its person, whoever sends it', async () => {
  const { owner } = await app.createCompany();
  const other = await app.createCompany();
  const beam = await beamOf(owner);
  expect(beam.token).toMatch(/^tlb_/);
  expect((await subscribe(beam, 'one')).status).toBe(201);
  const phone = await app.as(beam).request(notifications.registerApnsDevice, {
    body: {
      token: 'ab'.repeat(32),
      device_id: 'app-1',
      bundle_id: 'com.example.phone',
      environment: 'production',
    },
  });
  expect(phone.status).toBe(201);
  expect(await ownersOf('one')).toEqual([owner.id]);
  // Another person's token doesn't remove it.
  const theirs = await beamOf(other.owner);
  const remove = (who: TestPerson) =>
    app
      .as(who)
      .request(notifications.unsubscribeWebPush, { body: { endpoint: endpointOf('one') } });
  await remove(theirs);
  expect(await ownersOf('one')).toEqual([owner.id]);
  await remove(beam);
  expect(await ownersOf('one')).toEqual([]);
});

test('it opens nothing else, isn’t made for another person, and not by keys', async () => {
  const { owner, company } = await app.createCompany();
  const other = await app.createCompany();
  const beam = await beamOf(owner);
  const refused = [
    await app.as(beam).request(companies.getUser),
    await app.as(beam).request(companies.getCompany, { params: { id: company.id } }),
    await app.as(beam).request(notifications.webPushKey),
    await app.as(beam).request(identity.getBeamToken),
    await app.as(beam).request(identity.clearTokenSessions),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  const asFor = (id: number) =>
    app.as(owner).request(identity.getBeamToken, { query: { user_id: id } });
  expect((await asFor(owner.id)).body.user_id).toBe(owner.id);
  expect((await asFor(other.owner.id)).status).toBe(404);
  const made = await app.as(owner).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'All', scopes: ['read', 'write', 'admin'], company_id: company.id },
  });
  const key = { ...owner, token: made.body.data.plain_text_token };
  expect((await app.as(key).request(identity.getBeamToken)).status).toBe(403);
  expect((await subscribe(key, 'by-key')).status).toBe(403);
});

test('it ends after ten minutes and with its session; a changed one never counts', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const beam = await beamOf(owner);
  const [payload, signature] = beam.token.slice(4).split('.') as [string, string];
  const said = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...said, u: person.id })).toString('base64url');
  for (const token of [`tlb_${forged}.${signature}`, `tlb_${payload}.`, 'tlb_', 'tlb_e30.x'])
    expect((await subscribe({ ...owner, token }, 'forged')).status).toBe(401);
  app.clock.advance(9 * 60);
  expect((await subscribe(beam, 'late')).status).toBe(201);
  app.clock.advance(61);
  expect((await subscribe(beam, 'later')).status).toBe(401);

  const theirs = await beamOf(person);
  expect((await subscribe(theirs, 'theirs')).status).toBe(201);
  await app.as(owner).request(companies.endUserSessions, {
    params: { companyId: company.id, userId: person.id },
  });
  expect((await subscribe(theirs, 'after')).status).toBe(401);
  await app.drainJobs();
  expect(await ownersOf('theirs')).toEqual([]);
});

test('the service worker moves a replaced subscription with the session’s cookie alone', async () => {
  const { owner } = await app.createCompany();
  const signedIn = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: owner.email, password: 'trunkline-demo' },
  });
  const cookie = [signedIn.headers['set-cookie']].flat().map((one) => String(one).split(';')[0]);
  const sent: string[] = [];
  const handlers = new Map<string, (event: object) => void>();
  const scope = {
    addEventListener: (name: string, run: (event: object) => void) => handlers.set(name, run),
    location: { origin: 'https://app.test' },
    registration: { scope: 'https://app.test/' },
    clients: {},
  };
  const fetchOf = async (
    path: string,
    { method = 'GET', credentials, headers, body }: RequestInit & { headers: object },
  ) => {
    sent.push(`${method} ${path}`);
    const answer = await app.server.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...headers,
        ...(credentials === 'omit' ? {} : { cookie: cookie.join('; ') }),
      } as Record<string, string>,
      ...(body ? { payload: body as string } : {}),
    });
    return { ok: answer.statusCode < 300, json: async () => answer.json() as unknown };
  };
  runInNewContext(readFileSync('ui/src/service-worker.js', 'utf8'), {
    self: scope,
    fetch: fetchOf,
    URL,
    caches: {},
  });
  const subscription = (name: string) => ({
    endpoint: endpointOf(name),
    toJSON: () => ({ endpoint: endpointOf(name), keys }),
  });
  await subscribe(owner, 'old');
  let done: Promise<unknown> = Promise.reject(new Error('not waited for'));
  done.catch(() => null);
  handlers.get('pushsubscriptionchange')!({
    oldSubscription: subscription('old'),
    newSubscription: subscription('new'),
    waitUntil: (work: Promise<unknown>) => (done = work),
  });
  await done;
  expect(sent).toEqual([
    'GET /api/user/beam-token',
    'POST /api/web-push/subscriptions',
    'DELETE /api/web-push/subscriptions',
  ]);
  expect([await ownersOf('old'), await ownersOf('new')]).toEqual([[], [owner.id]]);
});
