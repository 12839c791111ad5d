import { expect, test } from 'vitest';
import { audit, companies, users } from '#contract';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const change = (who: TestPerson, userIds: number[], body: object) =>
  app.as(who).request(users.updateManyUsers, {
    params: { companyId: who.companyId },
    body: { user_ids: userIds, ...body },
  });
const found = async (who: TestPerson, userId: number) =>
  (
    await app.as(who).request(companies.getCompanyUser, {
      params: { companyId: who.companyId, userId },
    })
  ).body.data;
const outcomes = (answer: Awaited<ReturnType<typeof change>>) =>
  Object.fromEntries(
    answer.body.data.map((one) => [one.user_id, one.reason ?? one.outcome] as const),
  );

async function aTeam() {
  const { company, owner } = await app.createCompany();
  const [main, sales] = [
    await createTestNumber(app, company.id),
    await createTestNumber(app, company.id),
  ];
  return {
    ...{ company, owner, main, sales },
    administrator: await app.createPerson(company.id, 'administrator'),
    free: await app.createPerson(company.id, 'user'),
    limited: await app.createPerson(company.id, 'user', [main.id]),
    billing: await app.createPerson(company.id, 'billing'),
    gone: await app.createPerson(company.id, 'deactivated'),
  };
}

test('a role is given to each who may have it; the others stay, with the reason', async () => {
  const { owner, administrator, free, limited, billing, gone } = await aTeam();
  const all = [owner, administrator, free, limited, billing, gone].map(({ id }) => id);
  const answer = await change(administrator, [...all, free.id], { role: 'reporting' });
  expect(outcomes(answer)).toEqual({
    [owner.id]: 'You can’t change a person whose role is above yours.',
    [administrator.id]: expect.stringMatching(/your own/),
    [free.id]: 'changed',
    [limited.id]: 'changed',
    [billing.id]: 'changed',
    [gone.id]: 'This person is deactivated. Activate them first.',
  });
  expect(answer.body.data.find((one) => one.user_id === billing.id)?.before).toEqual({
    role: 'billing',
    numbers: [],
  });
  expect((await found(owner, free.id)).role).toBe('reporting');
  expect((await found(owner, owner.id)).role).toBe('owner');
  const { data } = (
    await app.as(owner).request(audit.listAuditLog, { params: { companyId: owner.companyId } })
  ).body;
  expect(
    data
      .filter(({ action }) => action === 'user.updated')
      .map(({ subject }) => subject)
      .toSorted(),
  ).toEqual([free, limited, billing].map(({ id }) => `user:${id}`).toSorted());
  expect(outcomes(await change(administrator, [free.id], { role: 'reporting' }))).toEqual({
    [free.id]: 'unchanged',
  });
});

test('numbers are added, removed and replaced, and no one gets every number by losing their last', async () => {
  const { owner, free, limited, billing, main, sales } = await aTeam();
  const ids = [free.id, limited.id, billing.id];
  const numbers = (kind: string, of: number[]) => ({ numbers: { change: kind, number_ids: of } });
  const every = 'People with this role have every number.';
  expect(outcomes(await change(owner, ids, numbers('add', [sales.id])))).toEqual({
    [free.id]: 'unchanged',
    [limited.id]: 'changed',
    [billing.id]: every,
  });
  expect((await found(owner, limited.id)).numbers.map((n) => n.id)).toEqual([main.id, sales.id]);
  expect(outcomes(await change(owner, ids, numbers('remove', [main.id])))).toEqual({
    [free.id]: expect.stringMatching(/^This person has every number/),
    [limited.id]: 'changed',
    [billing.id]: every,
  });
  expect(outcomes(await change(owner, [limited.id], numbers('remove', [sales.id])))).toEqual({
    [limited.id]: expect.stringMatching(/^These are their only numbers/),
  });
  expect(outcomes(await change(owner, ids, numbers('replace', [main.id])))).toMatchObject({
    [free.id]: 'changed',
    [limited.id]: 'changed',
  });
  expect((await found(owner, free.id)).numbers.map((n) => n.id)).toEqual([main.id]);
});

test('access ends and returns for all of them, but the owner and oneself', async () => {
  const { owner, administrator, free, limited } = await aTeam();
  const ids = [owner.id, administrator.id, free.id, limited.id];
  expect(outcomes(await change(administrator, ids, { active: false }))).toEqual({
    [owner.id]: 'You can’t change a person whose role is above yours.',
    [administrator.id]: expect.stringMatching(/your own/),
    [free.id]: 'changed',
    [limited.id]: 'changed',
  });
  expect(
    (await app.as(free).request(companies.getCompany, { params: { id: free.companyId } })).status,
  ).toBeGreaterThanOrEqual(400);
  await change(administrator, [free.id, limited.id], { active: true });
  expect([(await found(owner, free.id)).role, (await found(owner, limited.id)).role]).toEqual([
    'user',
    'user',
  ]);
});

test('people and numbers of other companies are not found, and nothing changes', async () => {
  const { owner, free, main } = await aTeam();
  const other = await aTeam();
  expect((await change(owner, [free.id, other.free.id], { role: 'reporting' })).status).toBe(404);
  const foreign = { numbers: { change: 'replace', number_ids: [other.main.id] } };
  expect((await change(owner, [free.id], foreign)).status).toBe(404);
  expect(await found(owner, free.id)).toMatchObject({ role: 'user', numbers: [] });
  expect((await change(free, [free.id], { role: 'reporting' })).status).toBe(403);
  expect((await change(owner, [free.id], {})).status).toBe(422);
  const two = { role: 'user', numbers: { change: 'add', number_ids: [main.id] } };
  expect((await change(owner, [free.id], two)).status).toBe(422);
  // As for one person: a role with power over others asks who one is.
  await app.unconfirm(owner);
  expect((await change(owner, [free.id], { role: 'administrator' })).status).toBe(403);
});
