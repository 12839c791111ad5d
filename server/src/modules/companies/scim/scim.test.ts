import { beforeEach, describe, expect, test } from 'vitest';
import { companies, sso } from '#contract';
import { createSsoOrganization } from '../../../../test/support/sso-organization.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const { pool } = app.services.db;
const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

/** An organization with a directory, and rules by which its groups give access. */
async function createDirectory() {
  const o = await createSsoOrganization(app, { issuer: 'https://id.test' });
  const second = await app.createCompany();
  await pool.query('update company set organization_id = $1 where id = $2', [
    o.id,
    second.company.id,
  ]);
  const made = await o.as.request(sso.makeScimToken, { params: o.params });
  expect(made.status).toBe(201);
  const { token } = made.body.data;
  await o.as.request(sso.saveSsoAccess, {
    params: o.params,
    body: {
      rules: [
        { group: null, company_id: o.company.id, role: 'user' },
        { group: 'Leads', company_id: o.company.id, role: 'administrator' },
        { group: 'Leads', company_id: second.company.id, role: 'reporting' },
      ],
    },
  });
  const send = (method: string, path: string, body?: object, bearer = token) =>
    app.as(null).inject({
      method: method as 'GET',
      url: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
      ...(body && { payload: JSON.stringify(body) }),
    });
  /** As Okta adds a user. */
  const add = async (name: string, more: object = {}) => {
    const email = `${name}@${o.domain}`;
    const answer = await send('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: email, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: `00u-${name}`,
      groups: [],
      password: '1mz050nq',
      active: true,
      ...more,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return { ...answer.body, email } as { id: string; email: string; userName: string };
  };
  return { ...o, second: second.company, token, send, add };
}
type Directory = Awaited<ReturnType<typeof createDirectory>>;
const roleIn = async (companyId: number, email: string) =>
  (
    await pool.query<{ role: string }>(
      `select role from membership m join person p on p.id = m.user_id
        where m.company_id = $1 and p.email_key = lower($2)`,
      [companyId, email],
    )
  ).rows[0]?.role;
const rolesOf = async (o: Directory, email: string) => [
  await roleIn(o.company.id, email),
  await roleIn(o.second.id, email),
];
const asPerson = async (email: string, companyId: number): Promise<TestPerson> => {
  const { rows } = await pool.query<{ id: string }>(
    'select id from person where email_key = lower($1)',
    [email],
  );
  return { id: Number(rows[0]?.id), email, token: '', companyId, role: 'user' };
};

describe('the protocol', () => {
  let o: Directory;
  beforeEach(async () => {
    o ??= await createDirectory();
  });

  test('says what it supports, in its own media type', async () => {
    const config = await o.send('GET', '/ServiceProviderConfig');
    expect(config.headers['content-type']).toMatch(/^application\/scim\+json/);
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } });
    expect((await o.send('GET', '/ResourceTypes')).body).toMatchObject({
      totalResults: 2,
      Resources: [{ endpoint: '/Users' }, { endpoint: '/Groups' }],
    });
    const all = await o.send('GET', '/Schemas');
    const { id } = all.body.Resources[0];
    expect((await o.send('GET', `/Schemas/${id}`)).body.name).toBe('User');
    expect((await o.send('GET', '/Schemas/none')).status).toBe(404);
  });

  test('lists, filters and pages as directories ask', async () => {
    const [ann, bob] = [await o.add('ann'), await o.add('bob')];
    const find = (filter: string) => o.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    const ids = async (filter: string) =>
      (await find(filter)).body.Resources.map((one: { id: string }) => one.id);
    expect(await ids(`userName eq "${ann.email.toUpperCase()}"`)).toEqual([ann.id]);
    expect(await ids('externalId eq "00u-bob"')).toEqual([bob.id]);
    expect(await ids(`emails[type eq "work"].value eq "${bob.email}"`)).toEqual([bob.id]);
    expect(await ids('userName eq "nobody"')).toEqual([]);
    for (const wrong of ['userName sw "a"', 'a eq "b" or c eq "d"', 'userName eq "'])
      expect((await find(wrong)).body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidFilter',
      });
    const page = async (query: string) => (await o.send('GET', `/Users?${query}`)).body;
    const first = await page('startIndex=1&count=1');
    const next = await page('startIndex=2&count=1');
    expect([first.itemsPerPage, first.startIndex, next.startIndex]).toEqual([1, 1, 2]);
    expect(first.Resources[0].id).not.toBe(next.Resources[0].id);
    expect((await page('count=0')).Resources).toEqual([]);
    expect((await page('startIndex=-5&count=9999')).totalResults).toBe(first.totalResults);
  });

  test('refuses what it can’t read in its own words', async () => {
    const raw = await app.as(null).inject({
      method: 'POST',
      url: '/scim/v2/Users',
      headers: { authorization: `Bearer ${o.token}`, 'content-type': 'application/scim+json' },
      payload: '{',
    });
    expect([raw.status, raw.body.scimType]).toEqual([400, 'invalidSyntax']);
    for (const body of [{}, { userName: 'ann' }, { userName: 7 }, { userName: 'a@b', emails: 'x' }])
      expect((await o.send('POST', '/Users', body)).status).toBe(400);
    expect((await o.send('GET', '/Users/1')).body.status).toBe('404');
    expect(
      (await o.send('PATCH', '/Users/1', patchOf({ op: 'move', path: 'active' }))).status,
    ).toBe(400);
  });

  test('is open to the token alone, which is stored hashed, replaced and revoked', async () => {
    const d = await createDirectory();
    const { rows } = await pool.query('select hash from scim_token where organization_id = $1', [
      d.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(d.token);
    for (const bearer of ['', 'tlsc_wrong', d.owner.token]) {
      const answer = await d.send('GET', '/Users', undefined, bearer);
      expect([answer.status, answer.body.status]).toEqual([401, '401']);
    }
    const { token } = (await d.as.request(sso.makeScimToken, { params: d.params })).body.data;
    expect((await d.send('GET', '/Users')).status).toBe(401);
    expect((await d.send('GET', '/Users', undefined, token)).status).toBe(200);
    // It opens nothing else.
    expect((await app.as({ ...d.owner, token }).request(companies.getUser)).status).toBe(401);
    expect((await d.as.request(sso.revokeScimToken, { params: d.params })).status).toBe(204);
    expect((await d.send('GET', '/Users', undefined, token)).status).toBe(401);
  });
});

describe('a person', () => {
  test('is added, moves between groups, is deactivated at once and comes back (Okta)', async () => {
    const o = await createDirectory();
    const ann = await o.add('ann');
    expect(await rolesOf(o, ann.email)).toEqual(['user', undefined]);
    const group = await o.send('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Leads',
      members: [],
    });
    expect(group.status).toBe(201);
    const path = `/Groups/${group.body.id}`;
    await o.send(
      'PATCH',
      path,
      patchOf({ op: 'add', path: 'members', value: [{ value: ann.id }] }),
    );
    expect(await rolesOf(o, ann.email)).toEqual(['administrator', 'reporting']);
    expect((await o.send('GET', `/Users/${ann.id}`)).body.groups).toMatchObject([
      { value: group.body.id, display: 'Leads' },
    ]);
    // A session, to see it end.
    const person = await asPerson(ann.email, o.company.id);
    const peer = await app.createPerson(o.company.id, 'user');
    await pool.query('update session set person_id = $1 where person_id = $2', [
      person.id,
      peer.id,
    ]);
    const session = { ...person, token: peer.token };
    const enters = async () =>
      (await app.as(session).request(companies.getCompany, { params: { id: o.company.id } }))
        .status;
    expect(await enters()).toBe(200);
    const off = await o.send(
      'PATCH',
      `/Users/${ann.id}`,
      patchOf({ op: 'replace', value: { active: false } }),
    );
    expect(off.body.active).toBe(false);
    expect(await enters()).toBe(403);
    expect(await rolesOf(o, ann.email)).toEqual(['deactivated', 'deactivated']);
    await app.drainJobs();
    const live = async () =>
      (
        await pool.query('select from session where person_id = $1 and ended_at is null', [
          person.id,
        ])
      ).rowCount;
    expect(await live()).toBe(0);
    // Neither a group nor a rule brings them back; the directory does.
    await o.send('PATCH', path, patchOf({ op: 'remove', path: 'members' }));
    await o.send(
      'PATCH',
      path,
      patchOf({ op: 'add', path: 'members', value: [{ value: ann.id }] }),
    );
    expect(await rolesOf(o, ann.email)).toEqual(['deactivated', 'deactivated']);
    await o.send('PUT', `/Users/${ann.id}`, {
      userName: ann.email,
      name: { givenName: 'Anne', familyName: 'Fox' },
      active: true,
    });
    expect(await rolesOf(o, ann.email)).toEqual(['administrator', 'reporting']);
    await o.send('DELETE', path);
    expect(await rolesOf(o, ann.email)).toEqual(['user', 'deactivated']);
    const { rows } = await pool.query<{ action: string; actor_kind: string }>(
      `select action, actor_kind from audit_log where company_id = $1 and actor_kind = 'directory'`,
      [o.company.id],
    );
    expect(new Set(rows.map((row) => row.action))).toEqual(
      new Set([
        'scim.user_added',
        'scim.user_renamed',
        'sso.access_given',
        'scim.group_added',
        'scim.group_removed',
        'user.deactivated',
        'user.activated',
      ]),
    );
  });

  test('follows the forms of Entra ID', async () => {
    const o = await createDirectory();
    const bob = await o.add('bob');
    const patch = (...operations: object[]) =>
      o.send('PATCH', `/Users/${bob.id}`, patchOf(...operations));
    expect((await patch({ op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    );
    expect(
      (
        await patch(
          { op: 'Replace', path: 'active', value: 'True' },
          { op: 'Add', path: 'name.givenName', value: 'Robert' },
          { op: 'Replace', path: 'emails[type eq "work"].value', value: `robert@${o.domain}` },
          {
            op: 'Replace',
            path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
            value: 'Sales',
          },
        )
      ).body,
    ).toMatchObject({
      active: true,
      name: { givenName: 'Robert', familyName: 'User' },
      emails: [{ value: `robert@${o.domain}` }],
    });
    expect(
      (await patch({ op: 'replace', value: { 'name.familyName': 'Hall', active: false } })).body,
    ).toMatchObject({ active: false, name: { givenName: 'Robert', familyName: 'Hall' } });
    const group = await o.send('POST', '/Groups', { displayName: 'Leads', externalId: 'g-1' });
    const path = `/Groups/${group.body.id}`;
    const members = async () =>
      (await o.send('GET', path)).body.members.map((one: { value: string }) => one.value);
    await o.send(
      'PATCH',
      path,
      patchOf({ op: 'Add', path: 'members', value: [{ value: bob.id }] }),
    );
    expect(await members()).toEqual([bob.id]);
    const found = await o.send(
      'GET',
      '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22leads%22',
    );
    expect(found.body.Resources).toMatchObject([{ id: group.body.id }]);
    expect(found.body.Resources[0]).not.toHaveProperty('members');
    await o.send('PATCH', path, patchOf({ op: 'Remove', path: `members[value eq "${bob.id}"]` }));
    expect(await members()).toEqual([]);
    await o.send('PATCH', path, patchOf({ op: 'Replace', path: 'displayName', value: 'Heads' }));
    expect((await o.send('GET', path)).body.displayName).toBe('Heads');
  });

  test('who owns a company stays, and stays themselves', async () => {
    const o = await createDirectory();
    const email = `olive@${o.domain}`;
    await pool.query('update person set email = $1 where id = $2', [email, o.owner.id]);
    const olive = await o.add('olive');
    const off = await o.send(
      'PATCH',
      `/Users/${olive.id}`,
      patchOf({ op: 'replace', path: 'active', value: false }),
    );
    expect([off.status, off.body.scimType]).toEqual([409, 'mutability']);
    expect((await o.send('DELETE', `/Users/${olive.id}`)).status).toBe(409);
    expect(await roleIn(o.company.id, email)).toBe('owner');
    const moved = await o.send(
      'PATCH',
      `/Users/${olive.id}`,
      patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: `x@${o.domain}` }),
    );
    expect(moved.status).toBe(409);
  });

  test('keeps what they have elsewhere: address, name and places', async () => {
    const o = await createDirectory();
    const elsewhere = await app.createCompany();
    const email = `guest@${o.domain}`;
    await pool.query('update person set email = $1 where id = $2', [email, elsewhere.owner.id]);
    const guest = await o.add('guest');
    expect(await roleIn(o.company.id, email)).toBe('user');
    const name = async () =>
      (await pool.query('select first_name from person where id = $1', [elsewhere.owner.id]))
        .rows[0].first_name;
    expect(await name()).toBe('owner');
    await o.send(
      'PATCH',
      `/Users/${guest.id}`,
      patchOf({ op: 'replace', value: { name: { givenName: 'Other' }, active: false } }),
    );
    expect(await name()).toBe('owner');
    expect(await roleIn(o.company.id, email)).toBe('deactivated');
    expect(await roleIn(elsewhere.company.id, email)).toBe('owner');
  });

  test('an organization’s administrator loses the organization, and gets it back', async () => {
    const o = await createDirectory();
    const kim = await o.add('kim');
    const { id } = await asPerson(kim.email, o.company.id);
    await pool.query('insert into organization_admin (organization_id, user_id) values ($1, $2)', [
      o.id,
      id,
    ]);
    const isAdmin = async () =>
      (await pool.query('select from organization_admin where user_id = $1', [id])).rowCount === 1;
    const set = (active: boolean) =>
      o.send(
        'PATCH',
        `/Users/${kim.id}`,
        patchOf({ op: 'replace', path: 'active', value: active }),
      );
    await set(false);
    expect(await isAdmin()).toBe(false);
    await set(true);
    expect(await isAdmin()).toBe(true);
    // Whom an administrator deactivates by hand, the directory doesn't bring back.
    await pool.query(`update membership set role = 'deactivated' where user_id = $1`, [id]);
    await set(false);
    await set(true);
    expect(await roleIn(o.company.id, kim.email)).toBe('deactivated');
  });
});

describe('between organizations', () => {
  test('a directory reaches neither others’ users and groups, nor addresses at other domains', async () => {
    const [o, victim] = [await createDirectory(), await createDirectory()];
    const theirs = await victim.add('ann');
    const group = await victim.send('POST', '/Groups', { displayName: 'Leads' });
    for (const [method, path, body] of [
      ['GET', `/Users/${theirs.id}`],
      ['PUT', `/Users/${theirs.id}`, { userName: theirs.email, active: false }],
      ['PATCH', `/Users/${theirs.id}`, patchOf({ op: 'replace', value: { active: false } })],
      ['DELETE', `/Users/${theirs.id}`],
      ['GET', `/Groups/${group.body.id}`],
      ['PATCH', `/Groups/${group.body.id}`, patchOf({ op: 'remove', path: 'members' })],
      ['DELETE', `/Groups/${group.body.id}`],
    ] as const)
      expect((await o.send(method, path, body)).status, `${method} ${path}`).toBe(404);
    const mine = await o.send('POST', '/Groups', {
      displayName: 'Leads',
      members: [{ value: theirs.id }],
    });
    expect(mine.body.members).toEqual([]);
    for (const address of [theirs.email, 'ann@elsewhere.com', victim.owner.email])
      expect(
        (
          await o.send('POST', '/Users', {
            userName: address,
            emails: [{ value: address, primary: true }],
          })
        ).status,
      ).toBe(400);
    // Nor does a name at our domain carry an address at theirs.
    const trick = await o.send('POST', '/Users', {
      userName: `ann@${o.domain}`,
      emails: [{ value: theirs.email, primary: true }],
    });
    expect(trick.status).toBe(400);
    const ours = await o.add('bob');
    const moved = await o.send(
      'PATCH',
      `/Users/${ours.id}`,
      patchOf({ op: 'replace', value: { emails: [{ value: theirs.email, primary: true }] } }),
    );
    expect(moved.status).toBe(400);
    expect((await o.send('GET', '/Users')).body.totalResults).toBe(1);
    expect(await roleIn(victim.company.id, theirs.email)).toBe('user');
  });

  test('a name twice is refused, also at once', async () => {
    const o = await createDirectory();
    const body = { userName: `twin@${o.domain}` };
    const all = await Promise.all([1, 2, 3].map(() => o.send('POST', '/Users', body)));
    expect(all.map((one) => one.status).toSorted()).toEqual([201, 409, 409]);
    const groups = [
      await o.send('POST', '/Groups', { displayName: 'Desk' }),
      await o.send('POST', '/Groups', { displayName: 'desk' }),
    ];
    expect(groups.map((one) => one.status)).toEqual([201, 409]);
    expect(groups[1]?.body.scimType).toBe('uniqueness');
  });

  test('whom the directory has deactivated doesn’t come back through the provider', async () => {
    const o = await createDirectory();
    const ann = await o.add('ann', { active: false });
    expect(await rolesOf(o, ann.email)).toEqual([undefined, undefined]);
    const { rows } = await pool.query('select active from scim_user where organization_id = $1', [
      o.id,
    ]);
    expect(rows).toEqual([{ active: false }]);
  });
});

test('a directory that asks too often is told when to come back, and keeps no other waiting', async () => {
  const [first, second] = [await createDirectory(), await createDirectory()];
  const ask = (o: typeof first) => o.send('GET', '/ServiceProviderConfig');
  let refused: Awaited<ReturnType<typeof ask>> | undefined;
  for (let n = 0; n < 1300 && !refused; n += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(first)));
    refused = answers.find(({ status }) => status !== 200);
  }
  expect(refused?.status, JSON.stringify(refused?.body)).toBe(429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused?.body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: '429',
  });
  expect((await ask(second)).status).toBe(200);
});

test('a body that is too large is refused as directories read it', async () => {
  const { send } = await createDirectory();
  const refused = await send('POST', '/Users', { userName: 'a'.repeat(1_100_000) });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: '422',
  });
});
