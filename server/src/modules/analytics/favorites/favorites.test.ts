import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { favorites as contract, type BodyIn } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
type Input = Partial<BodyIn<typeof contract.createFavoriteReport>>;
const value = { path: '/analytics/calls', filters: { group: 'source' }, columns: [] };
const add = (who: TestPerson, body: Input = {}) =>
  app.as(who).request(contract.createFavoriteReport, {
    body: { company_id: who.companyId, name: 'By source', value, ...body },
  });
const change = (who: TestPerson, id: number, body: Input) =>
  app.as(who).request(contract.updateFavoriteReport, {
    params: { id },
    body: { company_id: who.companyId, ...body },
  });
const remove = (who: TestPerson, id: number) =>
  app.as(who).request(contract.deleteFavoriteReport, {
    params: { id },
    query: { company_id: who.companyId },
  });
const list = async (who: TestPerson) =>
  (
    await app
      .as(who)
      .request(contract.listFavoriteReports, { query: { company_id: who.companyId } })
  ).body.data;
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;

test('a favorite keeps its screen and filters as JSON text, and is written down', async () => {
  const { company, owner } = await app.createCompany();
  const made = await add(owner, { value: JSON.stringify(value) });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body.data;
  expect(made.body.data).toMatchObject({ name: 'By source', mine: true, shared: false });
  expect(JSON.parse(made.body.data.value)).toEqual(value);
  const renamed = await change(owner, id, { name: '  Sources ' });
  expect(renamed.body.data).toMatchObject({ id, name: 'Sources', value: made.body.data.value });
  expect((await list(owner)).map(({ name }) => name)).toEqual(['Sources']);
  expect((await remove(owner, id)).status).toBe(204);
  expect(await list(owner)).toEqual([]);
  expect((await remove(owner, id)).status).toBe(404);
  const { rows } = await sql<{ action: string }>`select action from audit_log
    where company_id = ${company.id} and subject = ${`favorite_report:${id}`}
    order by id`.execute(app.services.db.unscoped);
  expect(rows.map(({ action }) => action)).toEqual(
    ['created', 'updated', 'deleted'].map((did) => `favorite_report.${did}`),
  );
});

test('others see it only when it is shared, and only its owner changes it', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const reporting = await app.createPerson(company.id, 'reporting');
  const stranger = (await app.createCompany()).owner;
  const { id } = (await add(user)).body.data;
  for (const who of [owner, reporting, stranger]) {
    expect(await list(who)).toEqual([]);
    expect((await change(who, id, { name: 'Mine' })).status).toBe(404);
    expect((await remove(who, id)).status).toBe(404);
  }
  await change(user, id, { shared: true });
  expect(await list(stranger)).toEqual([]);
  expect(await list(reporting)).toMatchObject([{ id, mine: false, user: { id: user.id } }]);
  expect(codeOf(await change(reporting, id, { name: 'Mine' }))).toBe('favorite.not_yours');
  expect(codeOf(await remove(reporting, id))).toBe('favorite.not_yours');
  expect((await change(stranger, id, { name: 'Mine' })).status).toBe(404);
  // An owner cleans up what is shared, and then no longer sees it.
  const hidden = await change(owner, id, { shared: false });
  expect(hidden.body.data).toMatchObject({ id, shared: false });
  expect(await list(owner)).toEqual([]);
  expect(await list(user)).toHaveLength(1);
});

test('names are one’s own, and there is a limit', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const first = (await add(owner)).body.data;
  expect(codeOf(await add(owner, { name: 'BY SOURCE' }))).toBe('favorite.exists');
  expect((await add(user)).status).toBe(201);
  const second = (await add(owner, { name: 'By day' })).body.data;
  expect(codeOf(await change(owner, second.id, { name: 'by source' }))).toBe('favorite.exists');
  expect((await change(owner, first.id, { name: 'by source' })).status).toBe(200);
  await app.services.db.systemTransaction((tx) =>
    sql`insert into favorite_report (company_id, user_id, name, value)
      select ${company.id}, ${owner.id}, 'F' || n, '{}' from generate_series(1, 198) n`.execute(tx),
  );
  expect(codeOf(await add(owner, { name: 'One more' }))).toBe('favorite.too_many');
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ value: 'not JSON' }, 'value'],
  [{ value: { path: 'https://evil.example/' } }, 'value.path'],
  [{ value: { path: '//evil.example' } }, 'value.path'],
  [{ value: { path: '/analytics/calls', filters: { q: 'x'.repeat(20_000) } } }, 'value'],
])('%j is refused', async (body, field) => {
  const { owner } = await app.createCompany();
  const { status, body: answer } = await add(owner, body);
  expect(status).toBe(422);
  expect(Object.keys((answer as unknown as { errors: object }).errors)).toEqual([field]);
});
