import pg from 'pg';
import { expect, test } from 'vitest';
import { accessTokens, audit, companies, organizations, type Query } from '#contract';
import { createTestApp, type TestPerson } from './support/test-app.ts';

/** Who is refused a right leaves a row in the company's log, one an hour; the refusal stays the same. */
const app = await createTestApp();

const log = async (owner: TestPerson, query: Partial<Query<typeof audit.listAuditLog>> = {}) =>
  (
    await app.as(owner).request(audit.listAuditLog, {
      params: { companyId: owner.companyId },
      query: { group: 'refused', ...query },
    })
  ).body.data;
const remove = (who: TestPerson, companyId = who.companyId) =>
  app.as(who).request(companies.deleteCompany, { params: { id: companyId } });

test('a refusal is written with who, what, why and from where, once an hour a person and endpoint', async () => {
  const { owner, company } = await app.createCompany();
  const other = await app.createCompany();
  const [ann, ben] = [
    await app.createPerson(company.id, 'user'),
    await app.createPerson(company.id, 'reporting'),
  ];
  const many = await Promise.all([1, 2, 3, 4, 5].map(() => remove(ann)));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([403]));
  expect((await remove(ben)).status).toBe(403);
  await app.as(ann).request(companies.updateCompany, {
    params: { id: company.id },
    body: { name: 'Mine' },
  });
  const rows = await log(owner);
  expect(rows.map(({ actor, subject }) => [actor.id, subject]).toSorted()).toEqual(
    [
      [ann.id, 'request:deleteCompany'],
      [ann.id, 'request:updateCompany'],
      [ben.id, 'request:deleteCompany'],
    ].toSorted(),
  );
  const found = rows.find(({ subject }) => subject === 'request:updateCompany');
  expect(found).toMatchObject({
    action: 'access.refused',
    sentence: 'tried what they aren’t allowed to do',
    ip: '127.0.0.1',
  });
  const entry = await app.as(owner).request(audit.getAuditEntry, {
    params: { companyId: company.id, entryId: found!.id },
  });
  expect(entry.body.data.after).toMatchObject({
    code: 'role.forbidden',
    request: 'PUT /company/{id}',
    message: 'Your role does not allow this.',
  });
  app.clock.advance(3601);
  await remove(ann);
  expect(await log(owner, { userId: ann.id })).toHaveLength(3);
  expect(await log(ann)).toHaveLength(3);
  expect(await log(other.owner)).toEqual([]);
});

test('refusals by an action, of a key and in an organization count; asking for a step does not', async () => {
  const { owner, company } = await app.createCompany();
  const administrator = await app.createPerson(company.id, 'administrator');
  await app.as(administrator).request(companies.updateCompanyUser, {
    params: { companyId: company.id, userId: owner.id },
    body: { role: 'user' },
  });
  const made = await app.as(administrator).request(accessTokens.createPersonalAccessToken, {
    body: { name: 'Reads', scopes: ['read'], company_id: company.id },
  });
  const key = { ...administrator, token: made.body.data.plain_text_token };
  const refused = await app.as(key).request(companies.updateCompany, {
    params: { id: company.id },
    body: { name: 'Mine' },
  });
  expect(refused.status).toBe(403);
  const organization = await app.as(owner).request(organizations.createOrganization, {
    body: { name: 'Group', companyIds: [company.id] },
  });
  expect(organization.status).toBe(201);
  const outside = await app.as(administrator).request(organizations.deleteOrganization, {
    params: { id: organization.body.data.id },
  });
  expect(outside.status).toBe(403);
  await app.unconfirm(owner);
  expect((await remove(owner)).status).toBe(403);
  expect((await log(owner)).map(({ subject, actor }) => [subject, actor.kind])).toEqual([
    ['request:deleteOrganization', 'user'],
    ['request:updateCompany', 'key'],
    ['request:updateCompanyUser', 'user'],
  ]);
});

test('a stranger writes nothing into a company’s log', async () => {
  const { owner, company } = await app.createCompany();
  const stranger = await app.createCompany();
  expect((await remove(stranger.owner, company.id)).status).toBe(404);
  expect(await log(owner)).toEqual([]);
  expect(await log(stranger.owner)).toEqual([]);
});

test('a log that can’t be written leaves the refusal as it is', async () => {
  const { owner, company } = await app.createCompany();
  const person = await app.createPerson(company.id, 'user');
  const client = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await client.connect();
  const run = (statement: string) => client.query(statement);
  await run(`create function no_rows() returns trigger language plpgsql as
    $$ begin if new.action = 'access.refused' then raise 'full'; end if; return new; end $$`);
  await run(
    `create trigger no_rows before insert on audit_log for each row execute function no_rows()`,
  );
  try {
    expect(await remove(person)).toMatchObject({ status: 403, body: { code: 'role.forbidden' } });
  } finally {
    await run('drop trigger no_rows on audit_log');
    await client.end();
  }
  // The next one is written: what failed isn't remembered as done.
  await remove(person);
  expect(await log(owner)).toHaveLength(1);
});
