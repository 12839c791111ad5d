import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sso } from '#contract';
import {
  createBrowser,
  createIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { createSsoOrganization } from '../../../../test/support/sso-organization.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { ownProviders } from '../../../adapters/sign-in-organizations/own-providers.ts';

const idp = await createIdentityProvider('idp');
const other = await createIdentityProvider('other');
afterAll(() => Promise.all([idp.server.stop(), other.server.stop()]));
const app = await createTestApp({
  ports: { ownProviders: ownProviders({ isPrivateAllowed: true }) },
});
const { pool } = app.services.db;
beforeEach(() => idp.says({}));

type Organization = Awaited<ReturnType<typeof createSsoOrganization>>;
const create = () => createSsoOrganization(app, { issuer: idp.issuer });
type Rule = {
  group: string | null;
  company_id: number;
  role: 'user' | 'administrator' | 'reporting';
  number_ids?: number[];
};
const giveAccess = async (o: Organization, rules: Rule[]) =>
  expect(
    (await o.as.request(sso.saveSsoAccess, { params: o.params, body: { rules } })).status,
  ).toBe(200);
const everyone = (o: Organization): Rule => ({
  group: null,
  company_id: o.company.id,
  role: 'user',
});

/** Comes through the provider and finishes, in a browser of their own. */
async function comeIn(o: Organization, claims: object) {
  idp.says({ email_verified: true, ...claims });
  const browser = createBrowser(app);
  const page = await browser.comeThrough(o.way);
  const { body, status } = await browser.send('POST', '/sanctum/sso', { body: { remember: true } });
  return { browser, page, body, status, token: body.token?.access_token as string | undefined };
}
const membersOf = async (companyId: number, email: string) =>
  (
    await pool.query<{ role: string; number_ids: string[] }>(
      `select m.role, m.number_ids from membership m join person p on p.id = m.user_id
        where m.company_id = $1 and p.email_key = lower($2)`,
      [companyId, email],
    )
  ).rows[0];

describe('someone new', () => {
  test('finds the way by their address, becomes a member and is signed in', async () => {
    const o = await create();
    await giveAccess(o, [everyone(o)]);
    const email = `ann@${o.domain}`;
    const anyone = createBrowser(app);
    const found = await anyone.send('POST', '/sanctum/sso/find', {
      body: { email: email.toUpperCase() },
    });
    expect(found.body.data).toEqual({
      organization: 'Harborline',
      url: `/api/oauth/sso/${o.id}/redirect`,
      is_required: false,
    });
    for (const elsewhere of ['ann@elsewhere.com', `ann@sub.${o.domain}`, 'ann', ''])
      expect(
        (await anyone.send('POST', '/sanctum/sso/find', { body: { email: elsewhere } })).body.data,
      ).toBeNull();
    const { page, body, token, browser } = await comeIn(o, {
      sub: 'ann',
      email,
      given_name: 'Ann',
    });
    expect(page).toMatchObject({
      path: '/login/external',
      external: 'signed_in',
      provider: `sso-${o.id}`,
      name: 'Harborline',
    });
    expect(body.data).toMatchObject({ email, first_name: 'Ann' });
    const me = await browser.send('GET', '/user', { token: token! });
    expect(me.body.data.companies).toMatchObject([{ id: o.company.id, role: 'user' }]);
    // Once; and the next time it is the same account, whatever the address is by then.
    browser.cookies.delete('trunkline_session');
    expect((await browser.send('POST', '/sanctum/sso', { body: {} })).body.code).toBe(
      'sign_in.expired',
    );
    const again = await comeIn(o, { sub: 'ann', email: `ann.fox@${o.domain}` });
    expect(again.body.data).toMatchObject({ id: body.data.id, email });
    const { rows } = await pool.query(
      `select action from audit_log where company_id = $1 and actor_id = $2 or subject = $3 order by id`,
      [o.company.id, body.data.id, `user:${body.data.id}`],
    );
    expect(rows.map((r) => r.action)).toEqual([
      'sso.access_given',
      'sign_in_method.linked',
      'sign_in.external',
      'sign_in.succeeded',
      'sign_in.external',
      'sign_in.succeeded',
    ]);
  });

  test('gets nothing without a rule, and nothing is left behind', async () => {
    const o = await create();
    const email = `new@${o.domain}`;
    const { page, status } = await comeIn(o, { sub: 'new', email });
    expect([page['external'], status]).toEqual(['no_access', 422]);
    // The rule goes while they are on their way.
    await giveAccess(o, [everyone(o)]);
    idp.says({ sub: 'new', email });
    const browser = createBrowser(app);
    expect(await browser.comeThrough(o.way)).toMatchObject({ external: 'signed_in' });
    await giveAccess(o, []);
    const late = await browser.send('POST', '/sanctum/sso', { body: {} });
    expect(late.body).toMatchObject({ status: 403, code: 'sso.no_access' });
    const { rows } = await pool.query('select from person where email_key = $1', [email]);
    expect(rows).toEqual([]);
  });

  test('of two who come at once, both are the one account', async () => {
    const o = await create();
    await giveAccess(o, [everyone(o)]);
    idp.says({ sub: 'twice', email: `twice@${o.domain}` });
    const browsers = [createBrowser(app), createBrowser(app)];
    for (const browser of browsers) await browser.comeThrough(o.way);
    const all = await Promise.all(
      browsers.map((b) => b.send('POST', '/sanctum/sso', { body: {} })),
    );
    expect(all.filter((a) => a.status === 200).length).toBeGreaterThan(0);
    const { rows } = await pool.query('select from sso_identity where organization_id = $1', [
      o.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('can’t sign up a company of their own with that visit', async () => {
    const o = await create();
    await giveAccess(o, [everyone(o)]);
    idp.says({ sub: 'up', email: `up@${o.domain}` });
    const browser = createBrowser(app);
    await browser.comeThrough(o.way);
    expect((await browser.send('GET', '/sanctum/external')).body.code).toBe('sign_in.expired');
    for (const path of ['/client/signup/external', '/sanctum/external'])
      expect((await browser.send('POST', path, { body: {} })).body.code).toBe('sign_in.expired');
  });
});

describe('groups', () => {
  test('give the highest role with its numbers, and take back what they gave', async () => {
    const o = await create();
    const number = await app.services.db.systemTransaction((tx) =>
      tx
        .selectFrom('number')
        .select('id')
        .where('company_id', '=', o.company.id)
        .executeTakeFirst(),
    );
    expect(number).toBeUndefined();
    const second = await app.createCompany();
    await pool.query('update company set organization_id = $1 where id = $2', [
      o.id,
      second.company.id,
    ]);
    await giveAccess(o, [
      { group: 'Desk', company_id: o.company.id, role: 'user' },
      { group: 'Leads', company_id: o.company.id, role: 'administrator' },
      { group: 'Leads', company_id: second.company.id, role: 'reporting' },
    ]);
    const email = `lee@${o.domain}`;
    const come = (groups: unknown) => comeIn(o, { sub: 'lee', email, groups });
    expect((await come(['desk', 'Other'])).page['external']).toBe('no_access');
    await come(['Desk', 'Leads']);
    expect(await membersOf(o.company.id, email)).toMatchObject({ role: 'administrator' });
    expect(await membersOf(second.company.id, email)).toMatchObject({ role: 'reporting' });
    const { token, browser } = await come('Desk');
    expect(await membersOf(o.company.id, email)).toMatchObject({ role: 'user' });
    expect(await membersOf(second.company.id, email)).toMatchObject({ role: 'deactivated' });
    const me = await browser.send('GET', '/user', { token: token! });
    expect(me.body.data.companies).toHaveLength(1);
    await come(['Leads']);
    expect(await membersOf(second.company.id, email)).toMatchObject({ role: 'reporting' });
    // Whom an administrator has deactivated stays so.
    await pool.query(
      `update membership m set role = 'deactivated' from person p
        where p.id = m.user_id and m.company_id = $1 and p.email_key = $2`,
      [second.company.id, email],
    );
    await come(['Leads']);
    expect(await membersOf(second.company.id, email)).toMatchObject({ role: 'deactivated' });
    expect((await come([])).body.code).toBe('sso.no_access');
  });

  test('never change an owner, nor a role given by hand without a group', async () => {
    const o = await create();
    const person = await app.createPerson(o.company.id, 'reporting');
    const email = `kim@${o.domain}`;
    await pool.query('update person set email = $1 where id = $2', [email, person.id]);
    await giveAccess(o, [everyone(o), { group: 'Desk', company_id: o.company.id, role: 'user' }]);
    expect((await comeIn(o, { sub: 'kim', email })).status).toBe(200);
    expect(await membersOf(o.company.id, email)).toMatchObject({ role: 'reporting' });
    await comeIn(o, { sub: 'kim', email, groups: ['Desk'] });
    expect(await membersOf(o.company.id, email)).toMatchObject({ role: 'user' });
  });

  test('rules name companies and numbers of the organization only', async () => {
    const o = await create();
    const foreign = await app.createCompany();
    for (const rule of [
      { ...everyone(o), company_id: foreign.company.id },
      { ...everyone(o), number_ids: [1] },
      { ...everyone(o), role: 'owner' as never }, // refused by the contract
    ])
      expect(
        (await o.as.request(sso.saveSsoAccess, { params: o.params, body: { rules: [rule] } }))
          .status,
      ).toBe(422);
  });
});

describe('an account that exists', () => {
  const named = async (o: Organization, personId: number, name: string) => {
    const email = `${name}@${o.domain}`;
    await pool.query('update person set email = $1 where id = $2', [email, personId]);
    return email;
  };

  test('of a member of the organization alone is found by its address', async () => {
    const o = await create();
    const person = await app.createPerson(o.company.id, 'user');
    const email = await named(o, person.id, 'max');
    const { body } = await comeIn(o, { sub: 'max', email });
    expect(body.data).toMatchObject({ id: person.id });
  });

  test('of an owner, or with a place elsewhere, is linked by its person alone', async () => {
    const o = await create();
    const elsewhere = await app.createCompany();
    const guest = await app.createPerson(o.company.id, 'user');
    await pool.query(
      `insert into membership (company_id, user_id, role) values ($1, $2, 'administrator')`,
      [elsewhere.company.id, guest.id],
    );
    for (const [name, person] of [
      ['olive', o.owner],
      ['guest', guest],
    ] as const) {
      const email = await named(o, person.id, name);
      const { browser, page, status } = await comeIn(o, { sub: name, email });
      expect(page).toMatchObject({ path: '/login', external: 'link', name: 'Harborline' });
      expect(page['next']).toMatch(/^\/settings\/security\?external=link&/);
      expect(status).toBe(422);
      // The session alone isn't enough, it takes the password or a factor, lately.
      await app.unconfirm(person);
      const stolen = await browser.send('POST', '/user/sign-in-methods', person);
      expect(stolen.body.code).toBe('confirmation.required');
      await browser.send('POST', '/sanctum/confirm', {
        ...person,
        body: { password: 'trunkline-demo' },
      });
      expect((await browser.send('POST', '/user/sign-in-methods', person)).status).toBe(200);
      const linked = await comeIn(o, { sub: name, email });
      expect(linked.body.data).toMatchObject({ id: person.id });
      // Another account there with the same address isn't the one that they linked.
      expect((await comeIn(o, { sub: `${name} 2`, email })).page['external']).toBe('link');
    }
  });

  test('of someone who has left isn’t opened by the provider', async () => {
    const o = await create();
    const elsewhere = await app.createCompany();
    const email = await named(o, elsewhere.owner.id, 'former');
    expect((await comeIn(o, { sub: 'former', email })).page['external']).toBe('no_access');
  });

  test('of platform staff or a deactivated person isn’t opened', async () => {
    const o = await create();
    const person = await app.createPerson(o.company.id, 'user');
    const email = await named(o, person.id, 'gone');
    await pool.query('update person set is_staff = true where id = $1', [person.id]);
    expect((await comeIn(o, { sub: 'gone', email })).page['external']).toBe('link');
    await pool.query('update person set is_staff = false, disabled_at = now() where id = $1', [
      person.id,
    ]);
    expect((await comeIn(o, { sub: 'gone', email })).page['external']).toBe('refused');
  });

  test('is asked for its second factor, and the session knows where it began', async () => {
    const o = await create();
    const person = await app.createPerson(o.company.id, 'user');
    const email = await named(o, person.id, 'mfa');
    const began = async () =>
      (
        await pool.query(
          'select sso_organization_id::text id from session where person_id = $1 order by session.id desc limit 1',
          [person.id],
        )
      ).rows[0].id;
    const { token, browser } = await comeIn(o, { sub: 'mfa', email });
    expect(await began()).toBe(String(o.id));
    await browser.send('POST', '/sanctum/createTokenSession', {
      token: token!,
      body: { device_name: 'Phone' },
    });
    expect(await began()).toBe(String(o.id));
    await pool.query(
      `insert into mfa_factor (person_id, kind, verified_at) values ($1, 'email', now())`,
      [person.id],
    );
    await pool.query('update person set mfa_enabled_at = now() where id = $1', [person.id]);
    const { body } = await comeIn(o, { sub: 'mfa', email });
    expect(body).toMatchObject({ mfa_required: true });
    const { rows } = await pool.query(
      'select sso_organization_id::text id from pending_sign_in where person_id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ id: String(o.id) }]);
  });
});

describe('what isn’t this organization’s to say is refused', () => {
  test('another’s domain, a domain that was lost, and an unverified address', async () => {
    const [o, victim] = [await create(), await create()];
    await giveAccess(o, [everyone(o)]);
    await giveAccess(victim, [everyone(victim)]);
    const outcome = async (claims: object) => (await comeIn(o, claims)).page['external'];
    expect(await outcome({ sub: 'a', email: `ceo@${victim.domain}` })).toBe('other_domain');
    expect(await outcome({ sub: 'b', email: victim.owner.email })).toBe('other_domain');
    expect(await outcome({ sub: 'c', email: `ceo@sub.${o.domain}` })).toBe('other_domain');
    expect(await outcome({ sub: 'd', email: `ceo@${o.domain}`, email_verified: false })).toBe(
      'unverified',
    );
    expect(await outcome({ sub: 'e', email: `ceo@${o.domain}`, email_verified: 'false' })).toBe(
      'unverified',
    );
    expect(await outcome({ sub: 'johndoe' })).toBe('unverified');
    // Entra ID says nothing about it; the proven domain does.
    expect(await outcome({ sub: 'g', email: `g@${o.domain}`, email_verified: null })).toBe(
      'signed_in',
    );
    idp.says({ sub: 'late', email: `late@${o.domain}` });
    const browser = createBrowser(app);
    await browser.comeThrough(o.way);
    await pool.query('update sso_domain set proven_at = null where organization_id = $1', [o.id]);
    expect((await browser.send('POST', '/sanctum/sso', { body: {} })).body.code).toBe(
      'sign_in.expired',
    );
    expect(await outcome({ sub: 'g', email: `g@${o.domain}` })).toBe('other_domain');
  });

  test('tokens with another nonce, issuer, audience or time; codes that were used or are another’s', async () => {
    const o = await create();
    await giveAccess(o, [everyone(o)]);
    const good = { sub: 'x', email: `x@${o.domain}` };
    const past = Math.floor(Date.now() / 1000) - 3600;
    for (const wrong of [
      { nonce: 'another' },
      { iss: other.issuer },
      { aud: 'another client' },
      { exp: past },
      { sub: '' },
    ])
      expect([wrong, (await comeIn(o, { ...good, ...wrong })).page['external']]).toEqual([
        wrong,
        'refused',
      ]);
    idp.says(good);
    const browser = createBrowser(app);
    const callback = await browser.visit(o.way);
    const thief = createBrowser(app);
    await thief.visit(o.way);
    expect(thief.pathOf(await thief.send('GET', callback))['external']).toBe('expired');
    const all = await Promise.all(Array.from({ length: 5 }, () => browser.send('GET', callback)));
    expect(all.map((a) => browser.pathOf(a)['external']).toSorted()).toEqual([
      ...Array<string>(4).fill('expired'),
      'signed_in',
    ]);
  });

  test('a return to another organization’s address', async () => {
    const [o, victim] = [await create(), await create()];
    await giveAccess(victim, [everyone(victim)]);
    idp.says({ sub: 'mix', email: `mix@${victim.domain}` });
    const browser = createBrowser(app);
    const callback = (await browser.visit(o.way)).replace(`/sso/${o.id}/`, `/sso/${victim.id}/`);
    expect(browser.pathOf(await browser.send('GET', callback))['external']).toBe('expired');
    expect((await browser.send('POST', '/sanctum/sso', { body: {} })).status).toBe(422);
  });

  test('pages of others, another host, and an organization without a provider', async () => {
    const o = await create();
    await giveAccess(o, [everyone(o)]);
    idp.says({ sub: 'open', email: `open@${o.domain}` });
    for (const next of ['https://evil.test', '//evil.test', '/\\evil.test', 'javascript:alert(1)'])
      expect((await createBrowser(app).comeThrough(o.way, next))['next']).toBe('/');
    const moved = await app.as(null).inject({
      method: 'GET',
      url: `/api/oauth/sso/${o.id}/redirect?next=/calls`,
      headers: { host: 'evil.test' },
    });
    expect(moved.headers['location']).toBe(
      `${app.services.settings.publicUrl}/api/oauth/sso/${o.id}/redirect?next=%2Fcalls&on=public`,
    );
    for (const none of ['sso/1', 'sso/999999999'])
      expect((await createBrowser(app).send('GET', `/oauth/${none}/redirect`)).body.code).toBe(
        'sign_in.unknown_provider',
      );
  });

  test('a provider that was changed or disconnected meanwhile', async () => {
    const o = await create();
    await giveAccess(o, [everyone(o)]);
    idp.says({ sub: 'was', email: `was@${o.domain}` });
    const browser = createBrowser(app);
    await browser.comeThrough(o.way);
    await pool.query('update sso_connection set issuer = $1 where organization_id = $2', [
      other.issuer,
      o.id,
    ]);
    expect((await browser.send('POST', '/sanctum/sso', { body: {} })).body.code).toBe(
      'sign_in.expired',
    );
  });
});
