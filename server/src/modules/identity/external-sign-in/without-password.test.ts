import { afterAll, expect, test } from 'vitest';
import {
  createBrowser,
  createIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';

const own = await createIdentityProvider('openid');
afterAll(() => own.server.stop());
const app = await createTestApp({ ports: { signIn: new Map([['openid', own.provider]]) } });

let people = 0;
/** Someone new whom the provider names, and their first session. */
async function signUp() {
  const email = `new${++people}@harbor.test`;
  own.says({ sub: `new-${people}`, email, email_verified: true, given_name: 'Ann' });
  const browser = createBrowser(app);
  const page = await browser.comeThrough('openid');
  const proven = await browser.send('GET', '/sanctum/external');
  const created = await browser.send('POST', '/client/signup/external', {
    body: { first_name: 'Ann', company_name: 'Harbor Dental' },
  });
  const token: string = created.body.token?.access_token;
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    browser.send(method, path, { token, ...(body && { body }) });
  return { email, browser, page, proven, created, token, send };
}

test('someone new signs up with the verified address: no code, no password', async () => {
  const { email, browser, page, proven, created, send } = await signUp();
  expect(page).toMatchObject({ path: '/login', external: 'unknown' });
  expect(proven.body.data).toEqual({
    provider: 'openid',
    label: 'Single sign-on',
    email,
    first_name: 'Ann',
    last_name: '',
  });
  expect(created.status).toBe(201);
  expect((await send('GET', '/user')).body.data).toMatchObject({ email, first_name: 'Ann' });
  expect((await send('GET', '/user/sign-in-methods')).body.data).toMatchObject({
    has_password: false,
    providers: [{ linked: { email, can_unlink: false } }],
  });
  // Once; and without a password no password signs in.
  browser.cookies.clear();
  const again = await browser.send('POST', '/client/signup/external', { body: {} });
  expect(again.body.code).toBe('sign_in.expired');
  for (const password of ['', 'null', 'undefined', 'trunkline-demo'])
    expect(
      (await browser.send('POST', '/sanctum/login', { body: { email, password } })).status,
    ).toBe(422);
  expect(await createBrowser(app).comeThrough('openid')).toMatchObject({ external: 'signed_in' });
});

test('a visit to sign in to an account signs up no one', async () => {
  const { owner } = await app.createCompany();
  own.says({ sub: 'x', email: owner.email, email_verified: true });
  const browser = createBrowser(app);
  await browser.comeThrough('openid');
  expect((await browser.send('GET', '/sanctum/external')).body.code).toBe('sign_in.expired');
  const refused = await browser.send('POST', '/client/signup/external', { body: {} });
  expect(refused.body.code).toBe('sign_in.expired');
});

test('of two who sign up at once with one identity, one gets an account', async () => {
  own.says({ sub: 'twice', email: 'twice@harbor.test', email_verified: true });
  const browsers = [createBrowser(app), createBrowser(app)];
  for (const browser of browsers) await browser.comeThrough('openid');
  const all = await Promise.all(
    browsers.map((b) => b.send('POST', '/client/signup/external', { body: {} })),
  );
  expect(all.map((a) => a.status).toSorted()).toEqual([201, 409]);
});

test('a person without a password sets one, right after they have come through the provider', async () => {
  const { email, browser, token, send } = await signUp();
  const { id } = (await send('GET', '/user')).body.data;
  const password = 'a long enough sentence';
  const set = (body: object) =>
    app.as(null).inject({
      method: 'PUT',
      url: `/api/users/${id}/update-password`,
      payload: body,
      headers: { authorization: `Bearer ${token}` },
    });
  await app.services.db.pool.query('update session set confirmed_at = null where person_id = $1', [
    id,
  ]);
  expect((await set({ password })).body.code).toBe('confirmation.required');
  await app.services.db.pool.query('update session set confirmed_at = now() where person_id = $1', [
    id,
  ]);
  expect((await set({ password: 'short' })).status).toBe(422);
  expect((await set({ password })).status).toBe(200);
  browser.cookies.clear();
  const { body } = await browser.send('POST', '/sanctum/login', { body: { email, password } });
  // From now on it takes the old one.
  const next = await app.as(null).inject({
    method: 'PUT',
    url: `/api/users/${id}/update-password`,
    payload: { password: 'another long sentence' },
    headers: { authorization: `Bearer ${body.token.access_token}` },
  });
  expect(next.status).toBe(422);
});

test('the last way in can’t be removed: neither the provider nor the passkey', async () => {
  const { send } = await signUp();
  const { id } = (await send('GET', '/user')).body.data;
  expect((await send('DELETE', '/user/sign-in-methods/openid')).body.code).toBe('sign_in.last_way');
  const { rows } = await app.services.db.pool.query(
    `insert into passkey (person_id, credential_id, public_key, counter, name)
      values ($1, $2, 'k', 0, 'Laptop') returning id`,
    [id, `credential-${id}`],
  );
  expect((await send('DELETE', '/user/sign-in-methods/openid')).status).toBe(204);
  const last = await send('DELETE', `/passkeys/${rows[0].id}`);
  expect(last.body).toMatchObject({ status: 409, code: 'sign_in.last_way' });
  expect((await send('GET', '/passkeys')).body.data).toHaveLength(1);
});

test('an administrator who resets the sign-in of a person unlinks their providers as well', async () => {
  const { owner } = await app.createCompany();
  const user = await app.createPerson(owner.companyId, 'user');
  await app.services.db.pool.query(
    `insert into person_identity (person_id, provider, issuer, subject, email)
      values ($1, 'openid', $2, 'taken over', $3)`,
    [user.id, own.issuer, user.email],
  );
  own.says({ sub: 'taken over', email: user.email, email_verified: true });
  expect(await createBrowser(app).comeThrough('openid')).toMatchObject({ external: 'signed_in' });
  const reset = await app.as(owner).inject({
    method: 'POST',
    url: `/api/company/${owner.companyId}/user/${user.id}/mfa-reset`,
  });
  expect(reset.status).toBe(204);
  expect(await createBrowser(app).comeThrough('openid')).toMatchObject({ external: 'link' });
});
