import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { accessTokens, companies, mfa, ownAccount as contract, sentences } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { holdAccount } from '../operator-erasing/erase-account.ts';

const app = await createTestApp();
afterAll(() => app.stopJobs());
const db = app.services.db.unscoped;

const preview = (who: TestPerson, userId = who.id) =>
  app.as(who).request(contract.previewOwnErasure, { params: { userId } });
const erase = (who: TestPerson, email = who.email, userId = who.id) =>
  app.as(who).request(contract.eraseOwnAccount, { params: { userId }, body: { email } });
const confirm = (who: TestPerson) =>
  app.as(who).request(mfa.confirmIdentity, { body: { password: 'trunkline-demo' } });
const confirmed = async (who: TestPerson) => {
  expect((await confirm(who)).status).toBe(200);
  return erase(who);
};
const emailOf = async (id: number): Promise<string> =>
  (await sql<{ email: string }>`select email from person where id = ${id}`.execute(db)).rows[0]!
    .email;
const roleIn = async (companyId: number, id: number): Promise<string | undefined> =>
  (
    await sql<{ role: string }>`select role from membership
      where company_id = ${companyId} and user_id = ${id}`.execute(db)
  ).rows[0]?.role;

test('a person who deletes their account is out of both companies at once and nameless soon after', async () => {
  const { company, owner } = await app.createCompany();
  const second = await app.createCompany();
  const her = await app.createPerson(company.id, 'user');
  await sql`insert into membership (company_id, user_id, role)
    values (${second.company.id}, ${her.id}, 'administrator')`.execute(db);
  const key = await app.as(her).request(accessTokens.createPersonalAccessToken, {
    body: { company_id: company.id, name: 'Sheet', scopes: ['read'] },
  });
  expect(key.status).toBe(201);

  const seen = await preview(her);
  expect(seen.body.data).toMatchObject({
    email: her.email,
    companies: [{ id: company.id }, { id: second.company.id }],
    stop: null,
  });
  expect(seen.body.data.stays.length).toBeGreaterThan(3);
  expect(await confirmed(her)).toMatchObject({ status: 204 });

  // At once: neither the session, nor the password, nor the key opens anything.
  expect((await preview(her)).status).toBe(401);
  const login = await app.as(null).inject({
    method: 'POST',
    url: '/api/sanctum/login',
    payload: { email: her.email, password: 'trunkline-demo' },
  });
  expect(login.status).toBe(422);
  expect(JSON.stringify(login.body)).toContain(sentences.wrongCredentials);
  const bearer = await app.server.inject({
    method: 'GET',
    url: `/api/users/${her.id}/erasure`,
    headers: { authorization: `Bearer ${key.body.data.plain_text_token}` },
  });
  expect(bearer.statusCode).toBe(401);
  expect(await emailOf(her.id)).toBe(her.email);

  await app.drainJobs();
  expect(await emailOf(her.id)).toBe(`erased-${her.id}@account.invalid`);
  for (const who of [owner, second.owner]) {
    expect(await roleIn(who.companyId, her.id)).toBeUndefined();
    const { rows } = await sql<{ action: string; actor: number }>`select action, actor_id as actor
      from audit_log where company_id = ${who.companyId} and subject = ${`user:${her.id}`}
      order by id`.execute(db);
    expect(rows.map(({ action }) => action)).toEqual(['user.erased_own', 'user.removed']);
    expect(Number(rows[0]!.actor)).toBe(her.id);
  }
});

test('nobody deletes another’s account, without a confirmation, by key, or with another address', async () => {
  const { company, owner } = await app.createCompany();
  const her = await app.createPerson(company.id, 'user');
  expect((await preview(owner, her.id)).status).toBe(404);
  await app.unconfirm(her);
  expect((await erase(her)).body).toMatchObject({ code: 'confirmation.required' });
  await confirm(owner);
  expect((await erase(owner, her.email, her.id)).status).toBe(404);
  await confirm(her);
  expect((await erase(her, owner.email)).body).toMatchObject({ code: 'account.other_email' });
  const key = await app.as(her).request(accessTokens.createPersonalAccessToken, {
    body: { company_id: company.id, name: 'Sheet', scopes: ['read', 'write'] },
  });
  const byKey = await app.server.inject({
    method: 'POST',
    url: `/api/users/${her.id}/erasure`,
    headers: { authorization: `Bearer ${key.body.data.plain_text_token}` },
    payload: { email: her.email },
  });
  expect(byKey.statusCode).toBe(403);
  expect(await roleIn(company.id, her.id)).toBe('user');
  expect(await emailOf(her.id)).toBe(her.email);
});

test('an owner, the last administrator of an organization, staff, a managed and a held account are told what to do first', async () => {
  const { company, owner } = await app.createCompany();
  await confirm(owner);
  expect((await erase(owner)).body).toMatchObject({ code: 'account.owner' });
  const { rows: names } = await sql<{ name: string }>`select name from company
    where id = ${company.id}`.execute(db);
  expect((await preview(owner)).body.data.stop).toEqual({
    code: 'account.owner',
    names: [names[0]!.name],
    message: 'You own a company. Transfer its ownership first.',
  });

  const head = await app.createPerson(company.id, 'user');
  await confirm(head);
  const { rows: made } = await sql<{ id: number }>`insert into organization (name, slug, owner_id)
    values ('Harbor Group', ${`harbor-${head.id}`}, ${head.id}) returning id`.execute(db);
  expect((await confirmed(head)).body).toMatchObject({ code: 'account.last_administrator' });
  expect((await preview(head)).body.data.stop).toMatchObject({ names: ['Harbor Group'] });

  const staff = await app.createStaff();
  expect((await confirmed(staff)).body).toMatchObject({ code: 'account.staff' });

  const managed = await app.createPerson(company.id, 'user');
  await sql`insert into scim_user (organization_id, person_id, user_name)
    values (${made[0]!.id}, ${managed.id}, ${managed.email})`.execute(db);
  expect((await confirmed(managed)).body).toMatchObject({ code: 'account.managed' });
  expect((await preview(managed)).body.data.stop).toMatchObject({ names: ['Harbor Group'] });
  // Out of the directory, the account is theirs.
  await sql`update scim_user set active = false where person_id = ${managed.id}`.execute(db);
  expect((await preview(managed)).body.data.stop).toBeNull();

  const held = await app.createPerson(company.id, 'user');
  await holdAccount(app.services, held.email, 'Case 26-1182');
  const answer = await confirmed(held);
  expect(answer.body).toMatchObject({ code: 'account.held' });
  expect(JSON.stringify(answer.body)).not.toContain('26-1182');
  for (const { id, email } of [owner, head, staff, managed, held])
    expect(await emailOf(id)).toBe(email);
});

test('a hold that begins before the job runs keeps the account; ending it erases it', async () => {
  const { company } = await app.createCompany();
  const her = await app.createPerson(company.id, 'user');
  await app.stopJobs();
  expect((await confirmed(her)).status).toBe(204);
  await holdAccount(app.services, her.email, 'Case 26-1190');
  await app.drainJobs();
  expect(await emailOf(her.id)).toBe(her.email);
  expect((await app.as(her).request(companies.getUser, {})).status).toBe(401);
  await holdAccount(app.services, her.email, null);
  await app.drainJobs();
  expect(await emailOf(her.id)).toBe(`erased-${her.id}@account.invalid`);
  expect(await roleIn(company.id, her.id)).toBeUndefined();
});
