import { expect, test } from 'vitest';
import { companies as contract, fields } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const app = await createTestApp();
const field = (who: TestPerson, body: object) =>
  app.as(who).request(fields.createField, {
    params: { type: 'user' },
    body: { companyId: who.companyId, ...body } as never,
  });
const put = (who: TestPerson, userId: number, values: object[]) =>
  app.as(who).request(contract.updateCompanyUser, {
    params: { companyId: who.companyId, userId },
    body: { eavAttributeValues: values } as never,
  });
const words = (answer: {
  body: { data: { eavAttributeValues: readonly { key: string; label: string }[] } };
}) => Object.fromEntries(answer.body.data.eavAttributeValues.map((v) => [v.key, v.label]));

async function aCompany() {
  const { company, owner } = await app.createCompany();
  expect(
    (
      await field(owner, {
        name: 'Language',
        key: 'language',
        type: 'stringText',
        defaultValue: 'English',
      })
    ).status,
  ).toBe(201);
  expect((await field(owner, { name: 'Badge', key: 'badge', type: 'number' })).status).toBe(201);
  return {
    company,
    owner,
    administrator: await app.createPerson(company.id, 'administrator'),
    user: await app.createPerson(company.id, 'user'),
  };
}

test('custom values of users are set by those who can edit users, listed, and published', async () => {
  const { company, owner, administrator, user } = await aCompany();
  expect(
    words(
      await put(administrator, user.id, [
        { key: 'language', value: 'Spanish' },
        { key: 'badge', value: 12 },
      ]),
    ),
  ).toEqual({ language: 'Spanish', badge: '12' });
  const seen = await app
    .as(user)
    .request(contract.getCompanyUser, { params: { companyId: company.id, userId: user.id } });
  expect(words(seen)).toEqual({ language: 'Spanish', badge: '12' });
  const listed = (
    await app.as(owner).request(contract.listCompanyUsers, { params: { companyId: company.id } })
  ).body.data.find((u) => u.id === user.id)!;
  expect(listed).toEqual(seen.body.data);
  const { rows } = await app.services.db.pool.query(
    `select data from outbox where company_id = $1 and event = 'company_user.changed'`,
    [company.id],
  );
  expect(rows).toEqual([{ data: { companyId: company.id, userId: user.id } }]);
  const log = await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['actor_id', 'subject', 'before', 'after'])
      .where('company_id', '=', company.id)
      .where('action', '=', 'user.updated')
      .execute(),
  );
  expect(log).toMatchObject([
    {
      actor_id: administrator.id,
      subject: `user:${user.id}`,
      before: { badge: '' },
      after: { language: 'Spanish', badge: '12' },
    },
  ]);
});

test('an empty value restores the default, and an equal value is no change', async () => {
  const { company, owner, user } = await aCompany();
  await put(owner, user.id, [{ key: 'language', value: 'Spanish' }]);
  await put(owner, user.id, [{ key: 'language', value: 'Spanish' }]);
  expect(words(await put(owner, user.id, [{ key: 'language', value: '' }]))).toMatchObject({
    language: 'English',
  });
  const { rows } = await app.services.db.pool.query(
    `select 1 from outbox where company_id = $1 and event = 'company_user.changed'`,
    [company.id],
  );
  expect(rows).toHaveLength(2);
});

test('invalid values are rejected at their field', async () => {
  const { owner, user } = await aCompany();
  const { status, body } = await put(owner, user.id, [
    { key: 'badge', value: 'twelve' },
    { key: 'language', value: 'Spanish' },
  ]);
  expect([status, Object.keys((body as unknown as { errors: object }).errors)]).toEqual([
    422,
    ['eavAttributeValues.badge'],
  ]);
  expect(
    words(
      await app.as(owner).request(contract.getCompanyUser, {
        params: { companyId: owner.companyId, userId: user.id },
      }),
    ),
  ).toMatchObject({ language: 'English' });
});

test('users can’t change higher roles, and people of other companies are not found', async () => {
  const { owner, administrator, user } = await aCompany();
  expect((await put(user, user.id, [{ key: 'language', value: 'Spanish' }])).status).toBe(403);
  const above = await put(administrator, owner.id, [{ key: 'language', value: 'Spanish' }]);
  expect(above).toMatchObject({ status: 403, body: { code: 'user.above_you' } });
  expect(
    (await put(administrator, administrator.id, [{ key: 'language', value: 'Spanish' }])).status,
  ).toBe(200);
  const { owner: stranger } = await app.createCompany();
  expect((await put(owner, stranger.id, [{ key: 'language', value: 'Spanish' }])).status).toBe(404);
  expect(
    (
      await app.as(owner).request(contract.getCompanyUser, {
        params: { companyId: owner.companyId, userId: stranger.id },
      })
    ).status,
  ).toBe(404);
});
