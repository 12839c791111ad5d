import { TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import { audit, identity, mfa, users } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const PASSWORD = 'trunkline-demo';

const log = async (who: TestPerson, query: object = {}) =>
  (
    await app.as(who).request(audit.listAuditLog, {
      params: { companyId: who.companyId },
      query: { perPage: 100, ...query },
    })
  ).body;
const actions = async (who: TestPerson) => (await log(who)).data.map(({ action }) => action);
const signIn = async (email: string, password: string) =>
  (await app.as(null).request(identity.login, { body: { email, password } })).status;

/** A person of two companies, whose owners read the logs, and a third company of neither. */
async function personOfTwo() {
  const [first, second, third] = [
    await app.createCompany(),
    await app.createCompany(),
    await app.createCompany(),
  ];
  const person = await app.createPerson(first.company.id, 'user');
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('membership')
      .values({ company_id: second.company.id, user_id: person.id, role: 'user' })
      .execute(),
  );
  return { person, owners: [first.owner, second.owner], stranger: third.owner };
}

test('what a person does to their sign-in is in the log of each of their companies, and of no other', async () => {
  const { person, owners, stranger } = await personOfTwo();
  expect(await signIn(person.email, 'not this one')).toBe(422);
  expect(await signIn('nobody@nowhere.test', 'not this one')).toBe(422);
  expect(await signIn(person.email, PASSWORD)).toBe(200);
  const me = app.as(person);
  const totp = { params: { kind: 'totp' as const } };
  const { secret } = (await me.request(mfa.mfaQr, totp)).body.data;
  const code = () => new TOTP({ secret }).generate({ timestamp: app.clock.value.getTime() });
  await me.request(mfa.confirmIdentity, { body: { password: PASSWORD } });
  const added = await me.request(mfa.verifyMfa, { ...totp, body: { code: code() } });
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  const waiting = await app
    .as(null)
    .request(identity.login, { body: { email: person.email, password: PASSWORD } });
  const { mfa_token } = waiting.body as unknown as { mfa_token: string };
  const finish = (sent: string) =>
    app.as(null).request(mfa.signInWithCode, { body: { mfa_token, kind: 'recovery', code: sent } });
  expect((await finish('wrong-code')).status).toBe(422);
  expect((await finish(added.body.data.recovery_codes![0]!)).status).toBe(200);
  await me.request(mfa.reactivateMfa, { params: { kind: 'recovery' } });
  expect((await me.request(mfa.removeMfa, { ...totp, body: {} })).status).toBe(204);
  expect((await me.request(identity.clearTokenSessions)).body.data.ended).toBe(2);
  const renamed = await me.request(users.updateProfile, {
    params: { userId: person.id },
    body: { first_name: 'Renamed' },
  });
  expect(renamed.status).toBe(200);
  const changed = await me.request(users.updatePassword, {
    params: { userId: person.id },
    body: { current_password: PASSWORD, password: 'another long sentence' },
  });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const done = [
    'factor.added',
    'factor.removed',
    'password.changed',
    'profile.changed',
    'recovery_code.used',
    'recovery_codes.renewed',
    'session.ended',
    'sign_in.failed',
    'sign_in.failed',
    'sign_in.succeeded',
    'sign_in.succeeded',
  ];
  for (const owner of owners)
    await vi.waitFor(async () => expect((await actions(owner)).toSorted()).toEqual(done));
  expect(await actions(stranger)).toEqual([]);
  const failed = (await log(owners[0]!)).data.find(({ action }) => action === 'sign_in.failed');
  expect(failed).toMatchObject({
    sentence: 'failed to sign in',
    group: 'access',
    actor: { id: person.id },
    ip: '127.0.0.1',
  });
});

test('the log pages by number and by cursor alike; a foreign cursor is an error', async () => {
  const { person, owners } = await personOfTwo();
  for (let n = 0; n < 5; n++) expect(await signIn(person.email, PASSWORD)).toBe(200);
  const [owner] = owners as [TestPerson];
  const first = await log(owner, { perPage: 2 });
  const second = await log(owner, { perPage: 2, page: 2 });
  const third = await log(owner, { perPage: 2, page: 3 });
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
  expect(new Set(ids).size).toBe(5);
  expect(second.meta).toMatchObject({ current_page: 2, last_page: 3, total: 5 });
  expect(second.links.next).toContain('page=3');
  const cursor = first.meta['next_cursor'] as string;
  expect((await log(owner, { perPage: 2, cursor })).data).toEqual(second.data);
  const foreign = await app.as(owner).request(audit.listAuditLog, {
    params: { companyId: owner.companyId },
    query: { cursor: 'elsewhere' },
  });
  expect(foreign.status).toBe(422);
});

test('administrators and owners of an organization are in the logs of its companies, without a role there', async () => {
  const { owner, company } = await app.createCompany();
  const home = await app.createCompany();
  const outside = await app.createCompany();
  const people = [
    await app.createPerson(home.company.id, 'user'),
    await app.createPerson(home.company.id, 'user'),
  ] as const;
  await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `audited-${company.id}`, owner_id: people[0].id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', '=', company.id)
      .execute();
    await tx
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: people[1].id })
      .execute();
  });
  for (const person of people) expect(await signIn(person.email, PASSWORD)).toBe(200);
  const signedIn = async (who: TestPerson) =>
    (await log(who, { action: 'sign_in.succeeded' })).data.map(({ actor }) => actor.id).toSorted();
  const ids = people.map(({ id }) => id).toSorted();
  await vi.waitFor(async () => expect(await signedIn(owner)).toEqual(ids));
  expect(await signedIn(home.owner)).toEqual(ids);
  expect(await signedIn(outside.owner)).toEqual([]);
});
