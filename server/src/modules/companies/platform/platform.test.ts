import { expect, test } from 'vitest';
import { platform as contract, users, type Query } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const staff = await app.createStaff();
const headers = { isadmin: '1' };
const listCompanies = (query: Partial<Query<typeof contract.listPlatformCompanies>>, who = staff) =>
  app.as(who).request(contract.listPlatformCompanies, { query, headers });
const listPeople = (query: Partial<Query<typeof contract.listPlatformPeople>>, who = staff) =>
  app.as(who).request(contract.listPlatformPeople, { query, headers });

test('staff in admin mode find companies with their figures; nobody else does', async () => {
  const { company, owner } = await app.createCompany('Zeta Plumbing');
  const { company: other } = await app.createCompany('Zeta Gardens');
  await app.createPerson(company.id, 'user');
  const gone = await app.createPerson(company.id, 'user');
  const off = await app.as(owner).request(users.deactivateUser, {
    body: { companyId: company.id, userId: gone.id },
  });
  expect(off.status).toBe(200);
  await app.services.db.systemTransaction((tx) =>
    tx.insertInto('number').values({ company_id: company.id, number: '+12025550198' }).execute(),
  );
  const found = await listCompanies({ search: 'zéta', sort: 'created_at', dir: 'desc' });
  expect(found.status).toBe(200);
  expect(found.body.data.map(({ name }) => name)).toEqual(['Zeta Gardens', 'Zeta Plumbing']);
  expect(found.body.meta).toMatchObject({ total: 2 });
  expect(found.body.data[1]).toMatchObject({ id: company.id, users: 2, numbers: 1, status: 0 });
  expect(found.body.data[1]!.last_seen_at).not.toBeNull();
  const byId = await listCompanies({ search: String(other.id) });
  expect(byId.body.data.map(({ id }) => id)).toContain(other.id);
  const second = await listCompanies({ search: 'zeta', perPage: 1, page: 2 });
  expect(second.body.data.map(({ name }) => name)).toEqual(['Zeta Plumbing']);
  for (const who of [owner, gone, await app.createPerson(company.id, 'administrator')])
    expect((await listCompanies({}, who)).status).toBeGreaterThanOrEqual(401);
  expect((await app.as(staff).request(contract.listPlatformCompanies, {})).status).toBe(403);
  expect((await app.as(null).request(contract.listPlatformCompanies, {})).status).toBe(401);
});

test('companies are told apart by what stops them', async () => {
  const made = await Promise.all(
    ['Yonder Active', 'Yonder Parked', 'Yonder Closed', 'Yonder Unpaid'].map((name) =>
      app.createCompany(name),
    ),
  );
  const [, parked, closed, unpaid] = made.map(({ company }) => company.id);
  await app.services.db.systemTransaction(async (tx) => {
    await tx.updateTable('company').set({ status: 1 }).where('id', '=', parked!).execute();
    await tx.updateTable('company').set({ status: 2 }).where('id', '=', closed!).execute();
    await tx
      .updateTable('company')
      .set({ suspended_at: app.clock.value })
      .where('id', '=', unpaid!)
      .execute();
  });
  const names = async (status: Query<typeof contract.listPlatformCompanies>['status']) =>
    (await listCompanies({ search: 'yonder', status })).body.data.map(({ name }) => name);
  expect(await names('active')).toEqual(['Yonder Active']);
  expect(await names('parked')).toEqual(['Yonder Parked']);
  expect(await names('deactivated')).toEqual(['Yonder Closed']);
  expect(await names('suspended')).toEqual(['Yonder Unpaid']);
  expect(await names(undefined)).toHaveLength(4);
  // The account of an individual is no company.
  await app.services.db.systemTransaction((tx) =>
    tx.updateTable('company').set({ kind: 'caddy' }).where('id', '=', parked!).execute(),
  );
  expect(await names(undefined)).toHaveLength(3);
});

test('people are found by name and email with all their companies, for staff only', async () => {
  const { company, owner } = await app.createCompany('Xavier Roofing');
  const { company: second } = await app.createCompany('Xavier Siding');
  const person = await app.createPerson(company.id, 'user');
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('membership')
      .values({ company_id: second.id, user_id: person.id, role: 'deactivated' })
      .execute(),
  );
  const found = await listPeople({ search: person.email.toUpperCase() });
  expect(found.body.data).toEqual([
    expect.objectContaining({
      id: person.id,
      email: person.email,
      is_staff: false,
      company_count: 2,
      companies: [
        { id: company.id, name: 'Xavier Roofing', role: 'user' },
        { id: second.id, name: 'Xavier Siding', role: 'deactivated' },
      ],
    }),
  ]);
  const ofCompany = await listPeople({ company_id: company.id });
  expect(ofCompany.body.data.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([
    owner.id,
    person.id,
  ]);
  expect((await listPeople({ search: "%' or 1=1 --" })).body.data).toEqual([]);
  expect((await listPeople({ search: '%' })).body.data).toEqual([]);
  expect((await listPeople({}, owner)).status).toBeGreaterThanOrEqual(401);
  expect((await app.as(staff).request(contract.listPlatformPeople, {})).status).toBe(403);
});
