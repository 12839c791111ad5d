import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createBrowser,
  createIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
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

let people = 0;
/** What the provider says of a person of ours. */
const claimsOf = (person: Pick<TestPerson, 'email'>, more: object = {}) => ({
  sub: `subject-${++people}`,
  email: person.email,
  email_verified: true,
  ...more,
});
beforeEach(() => {
  own.says({});
  other.says({});
});

/** Links the provider as a signed-in person does, from their settings. */
async function link(person: TestPerson, provider = own, claims = claimsOf(person)) {
  provider.says(claims);
  const browser = createBrowser(app);
  const { name } = provider.provider;
  const begun = await browser.send('POST', `/user/sign-in-methods/${name}`, person);
  const back = await browser.atProvider(begun.body.data.url);
  const page = browser.pathOf(await browser.send('GET', back));
  const answer = await browser.send('POST', '/user/sign-in-methods', person);
  return { browser, page, answer, claims };
}
const linkedOf = async (person: TestPerson) =>
  (await createBrowser(app).send('GET', '/user/sign-in-methods', person)).body.data.providers.find(
    (p: { provider: string }) => p.provider === 'openid',
  ).linked;

describe('a linked provider', () => {
  test('signs in whom it knows, once, and only in the browser that went there', async () => {
    const { owner } = await app.createCompany();
    const linked = await link(owner);
    expect(linked.page).toMatchObject({ path: '/settings/security', external: 'linked' });
    expect(linked.answer.body.data.linked).toMatchObject({ email: owner.email, can_unlink: true });
    expect((await app.mails(owner.email)).at(-1)!.text).toContain(
      'You can now sign in with Single sign-on.',
    );

    const browser = createBrowser(app);
    const page = await browser.comeThrough('openid', '/inbox?state=open');
    expect(page).toEqual({
      path: '/login/external',
      external: 'signed_in',
      provider: 'openid',
      next: '/inbox?state=open',
    });
    const stranger = createBrowser(app);
    expect((await stranger.send('POST', '/sanctum/external', { body: {} })).body.code).toBe(
      'sign_in.expired',
    );
    const { body } = await browser.send('POST', '/sanctum/external', { body: { remember: true } });
    expect(body.data).toMatchObject({ id: owner.id, email: owner.email });
    const me = await browser.send('GET', '/user', { token: body.token.access_token });
    expect(me.body.data).toMatchObject({ id: owner.id });
    browser.cookies.delete('trunkline_session');
    expect((await browser.send('POST', '/sanctum/external', { body: {} })).status).toBe(422);
    const { rows } = await app.services.db.pool.query(
      `select action from audit_log where company_id = $1 and actor_id = $2 order by id`,
      [owner.companyId, owner.id],
    );
    expect(rows.map((r) => r.action)).toEqual([
      'sign_in_method.linked',
      'sign_in.external',
      'sign_in.succeeded',
    ]);
  });

  test('still signs in when the address has changed there', async () => {
    const { owner } = await app.createCompany();
    const { claims } = await link(owner);
    own.says({ ...claims, email: 'married@elsewhere.test', email_verified: false });
    expect(await createBrowser(app).comeThrough('openid')).toMatchObject({ external: 'signed_in' });
  });

  test('doesn’t replace the second factor, nor the company’s demand for one', async () => {
    const { owner } = await app.createCompany();
    await link(owner);
    await app.services.db.pool.query(
      `insert into mfa_factor (person_id, kind, verified_at) values ($1, 'email', now())`,
      [owner.id],
    );
    await app.services.db.pool.query('update person set mfa_enabled_at = now() where id = $1', [
      owner.id,
    ]);
    const browser = createBrowser(app);
    await browser.comeThrough('openid');
    const asked = await browser.send('POST', '/sanctum/external', { body: {} });
    expect(asked.body).toMatchObject({ mfa_required: true, methods: [{ kind: 'email' }] });
    expect(asked.body.token).toBeUndefined();

    const { owner: second } = await app.createCompany();
    await link(second);
    await app.services.db.pool.query(
      `update company set settings = settings || '{"require_mfa":"all"}' where id = $1`,
      [second.companyId],
    );
    const back = createBrowser(app);
    await back.comeThrough('openid');
    const { token } = (await back.send('POST', '/sanctum/external', { body: {} })).body;
    const users = await back.send('GET', `/companies/${second.companyId}/users`, {
      token: token.access_token,
    });
    expect(users.body).toMatchObject({ status: 403, code: 'mfa.setup_required' });
  });

  test('lets no one in who was deactivated, also not by a visit that waits', async () => {
    const { owner } = await app.createCompany();
    await link(owner);
    const waiting = createBrowser(app);
    await waiting.comeThrough('openid');
    await app.services.db.pool.query('update person set disabled_at = now() where id = $1', [
      owner.id,
    ]);
    expect((await waiting.send('POST', '/sanctum/external', { body: {} })).body.code).toBe(
      'sign_in.expired',
    );
    expect(await createBrowser(app).comeThrough('openid')).toMatchObject({ external: 'refused' });
  });

  test('can be unlinked, but not when it is the last way in', async () => {
    const { owner } = await app.createCompany();
    await link(owner);
    await app.services.db.pool.query('update person set password_hash = null where id = $1', [
      owner.id,
    ]);
    const browser = createBrowser(app);
    const refused = await browser.send('DELETE', '/user/sign-in-methods/openid', owner);
    expect(refused.body).toMatchObject({ status: 409, code: 'sign_in.last_way' });
    expect(await linkedOf(owner)).toMatchObject({ can_unlink: false });
    await link(owner, other);
    expect((await browser.send('DELETE', '/user/sign-in-methods/openid', owner)).status).toBe(204);
    expect(await linkedOf(owner)).toBeNull();
    own.says(claimsOf(owner));
    expect((await browser.comeThrough('openid')).external).toBe('link');
  });
});

describe('the same address', () => {
  test('signs in to nothing: the person signs in as before, and then links it', async () => {
    const { owner } = await app.createCompany();
    own.says(claimsOf({ email: owner.email.toUpperCase() }));
    const browser = createBrowser(app);
    const page = await browser.comeThrough('openid', '/calls');
    expect(page).toMatchObject({ path: '/login', external: 'link' });
    expect(page['next']).toBe('/settings/security?external=link&provider=openid');
    expect((await browser.send('POST', '/sanctum/external', { body: {} })).status).toBe(422);

    // Who stole the session only can't link it: it takes the password or a factor, lately.
    await app.unconfirm(owner);
    const unconfirmed = await browser.send('POST', '/user/sign-in-methods', owner);
    expect(unconfirmed.body.code).toBe('confirmation.required');
    const confirmed = await browser.send('POST', '/sanctum/confirm', {
      ...owner,
      body: { password: 'trunkline-demo' },
    });
    expect(confirmed.status).toBe(200);
    expect((await browser.send('POST', '/user/sign-in-methods', owner)).status).toBe(200);
    expect(await linkedOf(owner)).toMatchObject({ email: owner.email });
  });

  test('is not believed unless the provider has verified it', async () => {
    const { owner } = await app.createCompany();
    for (const email_verified of [false, 'false', undefined, 1, null]) {
      own.says(claimsOf(owner, { email_verified }));
      expect(await createBrowser(app).comeThrough('openid')).toMatchObject({
        path: '/login',
        external: 'unverified',
      });
    }
    const { page, answer } = await link(owner, own, claimsOf(owner, { email_verified: false }));
    expect(page['external']).toBe('unverified');
    expect(answer.body.code).toBe('sign_in.expired');
  });

  test('links to the account that has it, and no other', async () => {
    const [{ owner: ann }, { owner: bob }] = [await app.createCompany(), await app.createCompany()];
    const foreign = await link(ann, own, claimsOf(bob));
    expect(foreign.answer.body).toMatchObject({ status: 409, code: 'sign_in.other_address' });
    // What was proven for Bob, in Ann's session.
    own.says(claimsOf(bob));
    const browser = createBrowser(app);
    await browser.comeThrough('openid');
    expect((await browser.send('POST', '/user/sign-in-methods', ann)).body.code).toBe(
      'sign_in.expired',
    );
    expect([await linkedOf(ann), await linkedOf(bob)]).toEqual([null, null]);
  });

  test('of an account that is linked to someone else is refused', async () => {
    const [{ owner: ann }, { owner: bob }] = [await app.createCompany(), await app.createCompany()];
    const { claims } = await link(ann);
    const again = await link(bob, own, { ...claims, email: bob.email });
    expect(again.answer.body.code).toBe('sign_in.linked_elsewhere');
  });

  test('of no one here leads to the sign-in page', async () => {
    own.says(claimsOf({ email: 'new@nowhere.test' }));
    expect(await createBrowser(app).comeThrough('openid')).toMatchObject({ external: 'unknown' });
  });
});
