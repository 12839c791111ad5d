import { afterAll, expect, test } from 'vitest';
import { accessTokens, audit, companies, identity, mfa } from '#contract';
import { openSocket, type LiveSocket } from '../../../../test/support/live-socket.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

/** Administrators sign people out, within bounds for people who also work elsewhere. */
const app = await createTestApp();
const address = await app.server.listen({ port: 0, host: '127.0.0.1' });
// Starts the relay, which sends events to sockets.
await app.drainJobs();
const open: LiveSocket[] = [];
afterAll(() => open.forEach((socket) => socket.close()));

const endOne = (who: TestPerson, userId: number, companyId = who.companyId) =>
  app.as(who).request(companies.endUserSessions, { params: { companyId, userId } });
const endAll = (who: TestPerson, companyId = who.companyId) =>
  app.as(who).request(companies.endCompanySessions, { params: { companyId } });
const isIn = async (who: TestPerson) =>
  (await app.as(who).request(companies.getUser, {})).status === 200;
const codeOf = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const log = async (owner: TestPerson) =>
  (
    await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: owner.companyId },
      query: { group: 'access' },
    })
  ).body.data.filter(({ action }) => /sessions_ended|ended_elsewhere/.test(action));
/** Another session of a person. */
async function signIn(person: TestPerson): Promise<TestPerson> {
  const answer = await app.as(null).request(identity.login, {
    body: { email: person.email, password: 'trunkline-demo' },
  });
  const { token } = answer.body as { token: { access_token: string } };
  return { ...person, token: token.access_token };
}
const addTo = (companyId: number, userId: number, role: 'user' | 'administrator') =>
  app.services.db.systemTransaction((tx) =>
    tx.insertInto('membership').values({ company_id: companyId, user_id: userId, role }).execute(),
  );
const socketOf = async (person: TestPerson) => {
  const socket = await openSocket(address, person.token, [`private-users.${person.id}`]);
  open.push(socket);
  return socket;
};

test('one person is signed out everywhere, sockets within a second; never someone above, or of another company', async () => {
  const { owner, company } = await app.createCompany();
  const administrator = await app.createPerson(company.id, 'administrator');
  const person = await app.createPerson(company.id, 'user');
  const other = await app.createCompany();
  const socket = await socketOf(person);
  expect((await endOne(person, administrator.id)).status).toBe(403);
  expect(codeOf(await endOne(administrator, owner.id))).toBe('user.above_you');
  expect((await endOne(administrator, other.owner.id)).status).toBe(404);
  expect((await endOne(other.owner, person.id, company.id)).status).toBe(404);
  const second = await signIn(person);
  expect((await endOne(administrator, person.id)).body).toEqual({ data: { ended: 2 } });
  expect(await socket.hears(({ event }) => event === 'disconnect')).toBeLessThan(1000);
  expect([await isIn(person), await isIn(second), await isIn(owner)]).toEqual([false, false, true]);
  // They can come back, and go again: no other company is concerned.
  const back = await signIn(person);
  expect((await endOne(administrator, person.id)).body).toEqual({ data: { ended: 1 } });
  expect(await isIn(back)).toBe(false);
  expect(await log(owner)).toMatchObject([
    { action: 'user.sessions_ended', actor: { id: administrator.id }, ip: '127.0.0.1' },
    { action: 'user.sessions_ended', subject: `user:${person.id}` },
  ]);
  expect(await log(other.owner)).toEqual([]);
});

test('an owner cannot be signed out through a lower role that they have beside the organization’s', async () => {
  const { company } = await app.createCompany();
  const administrator = await app.createPerson(company.id, 'administrator');
  const person = await app.createPerson(company.id, 'user');
  await app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('organization')
      .values({ name: 'Group', slug: `sessions-${company.id}`, owner_id: person.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('company')
      .set({ organization_id: id })
      .where('id', '=', company.id)
      .execute();
  });
  expect(codeOf(await endOne(administrator, person.id))).toBe('user.above_you');
  await endAll(administrator);
  expect(await isIn(person)).toBe(true);
});

test('everyone is signed out but those above, other companies’ people and the session that asks', async () => {
  const { owner, company } = await app.createCompany();
  const administrator = await app.createPerson(company.id, 'administrator');
  const another = await signIn(administrator);
  const people = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'billing'),
  ];
  const stranger = await app.createCompany();
  const sockets = [await socketOf(people[0]!), await socketOf(people[1]!)];
  const { status, body } = await endAll(administrator);
  expect([status, body]).toEqual([200, { data: { people: 3, ended: 3, skipped: 0 } }]);
  for (const socket of sockets)
    expect(await socket.hears(({ event }) => event === 'disconnect')).toBeLessThan(1000);
  const stay = [people[0]!, people[1]!, another, administrator, owner, stranger.owner].map(isIn);
  expect(await Promise.all(stay)).toEqual([false, false, false, true, true, true]);
  expect(await log(owner)).toMatchObject([
    { action: 'company.sessions_ended', actor: { id: administrator.id } },
  ]);
});

test('who also works elsewhere is signed out once an hour, with a mail and a row in the other log', async () => {
  const first = await app.createCompany();
  const second = await app.createCompany();
  const person = await app.createPerson(first.company.id, 'user');
  await addTo(second.company.id, person.id, 'user');
  const racing = await Promise.all([
    endOne(first.owner, person.id),
    endOne(first.owner, person.id),
  ]);
  expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const back = await signIn(person);
  expect(codeOf(await endOne(first.owner, person.id))).toBe('sessions.ended_lately');
  expect((await endAll(first.owner)).body.data.skipped).toBe(1);
  expect(await isIn(back)).toBe(true);
  expect(await log(second.owner)).toMatchObject([
    {
      action: 'session.ended_elsewhere',
      sentence: 'was signed out by an administrator of another company',
      actor: { id: person.id },
      // Not where the other company's administrator sat.
      ip: null,
    },
  ]);
  await app.drainJobs();
  const mails = await app.mails(person.email);
  expect(mails.map(({ subject }) => subject)).toEqual(['You were signed out']);
  app.clock.advance(3601);
  await app.as(first.owner).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
  expect((await endAll(first.owner)).body.data).toMatchObject({ skipped: 0, people: 1 });
  expect(await isIn(back)).toBe(false);
});

test('who administers both companies is not held up', async () => {
  const { owner, company } = await app.createCompany();
  const second = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  await addTo(second.company.id, person.id, 'user');
  await addTo(second.company.id, owner.id, 'administrator');
  expect((await endOne(owner, person.id)).status).toBe(200);
  expect((await endOne(owner, person.id)).status).toBe(200);
});

test('keys, and sessions that haven’t confirmed, end nobody’s session', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const made = await app.as(owner).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'All', scopes: ['read', 'write', 'admin'], company_id: company.id },
  });
  const key = { ...owner, token: made.body.data.plain_text_token };
  expect(codeOf(await endAll(key))).toBe('confirmation.needs_session');
  await app.unconfirm(owner);
  expect(codeOf(await endOne(owner, person.id))).toBe('confirmation.required');
  expect(codeOf(await endAll(owner))).toBe('confirmation.required');
  expect(await isIn(person)).toBe(true);
});
