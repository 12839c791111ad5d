import { describe, expect, test } from 'vitest';
import {
  accessTokens,
  companies,
  companyRoles,
  contacts,
  endpoints,
  grantOf,
  identity,
  organizations,
  type PermissionKey,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { tokenOf } from '../../../../test/support/token-of.ts';

const app = await createTestApp();

const create = (person: TestPerson, body: object = {}) =>
  app.as(person).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'Sheet', scopes: ['read'], company_id: person.companyId, ...body },
  });
/** The same person with an API key instead of a session. */
const withKey = async (person: TestPerson, scopes: identity.Scope[], more: object = {}) => {
  const { status, body } = await create(person, { scopes, ...more });
  expect(status).toBe(201);
  return { ...person, token: body.data.plain_text_token, keyId: body.data.id };
};
const readsContacts = async (person: TestPerson, companyId = person.companyId) =>
  (await app.as(person).request(contacts.listContacts, { query: { companyId } })).status;
const list = (person: TestPerson) =>
  app.as(person).request(accessTokens.listPersonalAccessTokens, {
    query: { company_id: person.companyId },
  });

describe('an API key', () => {
  test('is shown once, is stored hashed, and works in its own company only', async () => {
    const [one, two] = [await app.createCompany(), await app.createCompany()];
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('membership')
        .values({ company_id: two.company.id, user_id: one.owner.id, role: 'administrator' })
        .execute(),
    );
    const key = await withKey(one.owner, ['read']);
    expect(key.token).toMatch(/^tlk_/);
    expect(JSON.stringify((await list(one.owner)).body)).not.toContain(key.token);
    const rows = await app.services.db.unscoped
      .selectFrom('personal_access_token')
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(key.token);
    expect(await readsContacts(one.owner, two.company.id)).toBe(200);
    expect([await readsContacts(key), await readsContacts(key, two.company.id)]).toEqual([
      200, 404,
    ]);
    // Its company needs no naming.
    expect((await app.as(key).inject({ method: 'GET', url: '/api/contacts' })).status).toBe(200);
  });

  test('is refused with 403 that names the scope it lacks', async () => {
    const { owner } = await app.createCompany();
    const key = await withKey(owner, ['read']);
    const refused = await app.as(key).request(contacts.createContact, {
      body: { companyId: owner.companyId, name: 'Dana', number: '+12125550148' },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'scope.missing' } });
    expect(JSON.stringify(refused.body)).toContain('write');
  });

  test('cannot create keys or end sessions, whatever its scopes', async () => {
    const { owner } = await app.createCompany();
    const key = await withKey(owner, [...identity.scopes]);
    expect((await create(key)).status).toBe(403);
    expect((await app.as(key).request(identity.clearTokenSessions)).status).toBe(403);
  });

  test('is of its company only, also for who administers the organization above it', async () => {
    const { owner } = await app.createCompany();
    const made = await app.as(owner).request(organizations.createOrganization, {
      body: { name: 'Harborline', companyIds: [owner.companyId] },
    });
    const id = made.body.data.id;
    const other = await app.as(owner).request(organizations.createOrganization, {
      body: { name: 'Pierline' },
    });
    const key = await withKey(owner, [...identity.scopes]);
    const listed = await app.as(key).request(organizations.listOrganizations, { query: {} });
    expect(listed.body.data.map((o) => [o.id, o.is_admin])).toEqual([[id, false]]);
    const read = (of: number) =>
      app.as(key).request(organizations.listOrganizationCompanies, { params: { id: of } });
    expect((await read(id)).status).toBe(403);
    expect((await read(other.body.data.id)).status).toBe(404);
  });

  test('stops with its revocation, its expiry, and its owner’s deactivation or disabling', async () => {
    const { owner } = await app.createCompany();
    const user = await app.createPerson(owner.companyId, 'user');
    const revoked = await withKey(user, ['read']);
    await app.as(owner).request(accessTokens.deletePersonalAccessToken, {
      params: { id: revoked.keyId },
    });
    expect(await readsContacts(revoked)).toBe(401);
    const in1Hour = new Date(app.clock.value.getTime() + 3_600_000).toISOString();
    const short = await withKey(user, ['read'], { expires_at: in1Hour });
    const long = await withKey(user, ['read']);
    app.clock.advance(3601);
    expect([await readsContacts(short), await readsContacts(long)]).toEqual([401, 200]);
    const setRole = (role: string) =>
      app.services.db.unscoped
        .updateTable('membership')
        .set({ role })
        .where('user_id', '=', user.id)
        .execute();
    await setRole('deactivated');
    expect(await readsContacts(long)).toBe(401);
    await setRole('user');
    // It ended; reactivation doesn't bring it back.
    expect(await readsContacts(long)).toBe(401);
    const next = await withKey(user, ['read']);
    expect(await readsContacts(next)).toBe(200);
    await app.services.db.unscoped
      .updateTable('person')
      .set({ disabled_at: app.clock.value })
      .where('id', '=', user.id)
      .execute();
    expect(await readsContacts(next)).toBe(401);
  });

  test('keeps only what its owner’s current role may have', async () => {
    const { owner } = await app.createCompany();
    const user = await app.createPerson(owner.companyId, 'user');
    const key = await withKey(user, ['read', 'write']);
    const write = async () =>
      (
        await app.as(key).request(contacts.createContact, {
          body: { companyId: owner.companyId, name: 'Dana', number: '+12125550149' },
        })
      ).status;
    await app.services.db.unscoped
      .updateTable('membership')
      .set({ role: 'reporting' })
      .where('user_id', '=', user.id)
      .execute();
    expect(await write()).toBe(403);
    const reporting = await app.createPerson(owner.companyId, 'reporting');
    expect((await create(reporting, { scopes: ['write'] })).status).toBe(422);
    const billing = await app.createPerson(owner.companyId, 'billing');
    expect((await create(billing)).status).toBe(403);
  });

  test('is listed to its owner and to administrators, with its last use', async () => {
    const { owner } = await app.createCompany();
    const [user, other] = [
      await app.createPerson(owner.companyId, 'user'),
      await app.createPerson(owner.companyId, 'user'),
    ];
    const key = await withKey(user, ['read']);
    await readsContacts(key);
    const seen = async (person: TestPerson) => (await list(person)).body.data;
    expect(await seen(owner)).toMatchObject([
      { id: key.keyId, mine: false, last_used_ip: '127.0.0.1' },
    ]);
    expect(await seen(user)).toMatchObject([{ mine: true, prefix: key.token.slice(0, 10) }]);
    expect(await seen(other)).toEqual([]);
    const foreign = await app.as(other).request(accessTokens.deletePersonalAccessToken, {
      params: { id: key.keyId },
    });
    expect(foreign.status).toBe(404);
    expect(await readsContacts(key)).toBe(200);
  });
});

test('every scope on every endpoint: a key is refused what its owner’s role or its scopes lack', async () => {
  const { owner } = await app.createCompany();
  const withoutRules = endpoints.filter(
    (e) =>
      e.company === 'given' &&
      e.method === 'GET' &&
      e.permission !== 'public' &&
      e.permission !== 'session' &&
      !e.path.includes('{'),
  );
  expect(withoutRules.length).toBeGreaterThan(5);
  for (const role of companyRoles) {
    const allowed = accessTokens.scopesForRole(role);
    if (grantOf(role, 'apiKeys.own') === 'none') expect(allowed).toEqual([]);
    if (!allowed.length) continue;
    const person = role === 'owner' ? owner : await app.createPerson(owner.companyId, role);
    for (const scope of allowed) {
      const key = await withKey(person, [scope]);
      for (const e of withoutRules) {
        const { status, body } = await app.as(key).request(e, {
          query: { companyId: owner.companyId },
        } as object);
        const mayAsk = grantOf(role, e.permission as PermissionKey) !== 'none';
        const expected = !identity.scopeAllows([scope], e)
          ? identity.requiredScope(e)
            ? 'scope.missing'
            : 'scope.session_only'
          : mayAsk
            ? undefined
            : 'role.forbidden';
        const code = status === 403 ? (body as { code: string }).code : undefined;
        expect([role, scope, e.name, code]).toEqual([role, scope, e.name, expected]);
      }
    }
  }
});

describe('policies of a company', () => {
  const setSettings = (companyId: number, settings: object) =>
    app.services.db.unscoped
      .updateTable('company')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', companyId)
      .execute();

  test('outside its networks a company answers 403; others of the same person are unaffected', async () => {
    const { owner, company } = await app.createCompany();
    await setSettings(company.id, { allowed_ip_ranges: ['203.0.113.0/24'] });
    const refused = await app.as(owner).request(contacts.listContacts, {
      query: { companyId: company.id },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'network.not_allowed' } });
    const slim = await app.as(owner).request(companies.listCompaniesSlim);
    expect(slim.body.data.map(({ id }) => id)).toEqual([company.id]);
    await setSettings(company.id, { allowed_ip_ranges: ['127.0.0.0/8', '::1'] });
    expect(await readsContacts(owner)).toBe(200);
  });

  test('a browser that isn’t used for the company’s idle time is signed out', async () => {
    const { owner, company } = await app.createCompany();
    await setSettings(company.id, { session_idle_minutes: 15 });
    const signIn = await app.as(null).request(identity.login, {
      body: { email: owner.email, password: 'trunkline-demo' },
    });
    const browser = { ...owner, token: tokenOf(signIn.body).access_token };
    expect(await readsContacts(browser)).toBe(200);
    app.clock.advance(14 * 60);
    expect(await readsContacts(browser)).toBe(200);
    app.clock.advance(15 * 60);
    expect(await readsContacts(browser)).toBe(401);
    const renewed = await app.as(null).request(identity.createTokenSession, {
      body: { refresh_token: tokenOf(signIn.body).refresh_token },
    });
    expect(renewed.status).toBe(401);
  });
});

test('a person ends one of their sessions, and never another’s', async () => {
  const { owner } = await app.createCompany();
  const other = (await app.createCompany()).owner;
  const phone = await app.as(owner).request(identity.createTokenSession, {
    body: { device_name: 'Phone' },
  });
  const end = (person: TestPerson) =>
    app.as(person).request(identity.endTokenSession, { params: { id: phone.body.data.id } });
  expect((await end(other)).status).toBe(404);
  const onPhone = { ...owner, token: phone.body.token.access_token };
  expect(await readsContacts(onPhone)).toBe(200);
  expect((await end(owner)).status).toBe(204);
  expect(await readsContacts(onPhone)).toBe(401);
});
