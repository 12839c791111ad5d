import { expect, test } from 'vitest';
import { invitations as contract } from '#contract';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
type Rows = Parameters<typeof invite>[1];
const invite = (
  who: TestPerson,
  rows: { email: string; role?: string; phone_numbers?: string }[],
  more: { check?: boolean } = {},
) =>
  app.as(who).request(contract.inviteMany, {
    params: { companyId: who.companyId },
    body: { rows, ...more },
  });
const found = (answer: Awaited<ReturnType<typeof invite>>) =>
  answer.body.data.map((one) => one.reason ?? one.outcome);
const stored = async (companyId: number) =>
  (
    await app.services.db.unscoped
      .selectFrom('invitation')
      .select(['email', 'role', 'number_ids'])
      .where('company_id', '=', companyId)
      .orderBy('email')
      .execute()
  ).map((one) => ({ ...one, number_ids: one.number_ids.map(Number) }));

test('a check says what would happen to each row and sends nothing; sending does it', async () => {
  const { company, owner } = await app.createCompany();
  const member = await app.createPerson(company.id, 'user');
  const number = await createTestNumber(app, company.id);
  const other = await app.createCompany();
  const foreign = await createTestNumber(app, other.company.id);
  const at = (name: string) => `${name}-${company.id}@people.test`;
  const rows: Rows = [
    { email: at('ann'), role: 'Reporting', phone_numbers: `${number.number}; ` },
    { email: at('Ann') },
    { email: 'no address' },
    { email: at('bob'), role: 'Boss' },
    { email: member.email },
    { email: at('cem'), phone_numbers: foreign.number },
    { email: at('dee') },
  ];
  const expected = (done: string) => [
    done,
    'Same address as in row 1.',
    'Enter an email address.',
    '“Boss” isn’t a role. Use administrator, billing, reporting or user.',
    `${member.email} is already in this company.`,
    expect.stringMatching(/isn’t a number of this company\.$/),
    done,
  ];
  expect(found(await invite(owner, rows, { check: true }))).toEqual(expected('ready'));
  expect(await stored(company.id)).toEqual([]);
  await app.drainJobs();
  expect(await app.mails(at('ann'))).toEqual([]);
  expect(found(await invite(owner, rows))).toEqual(expected('invited'));
  expect(await stored(company.id)).toEqual([
    { email: at('ann'), role: 'reporting', number_ids: [number.id] },
    { email: at('dee'), role: 'user', number_ids: [] },
  ]);
  expect(found(await invite(owner, [{ email: at('dee') }]))).toEqual(['pending']);
});

test('a plan’s seats run out row by row, and no one gives a role above their own', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const rows = ['a', 'b', 'c'].map((name) => ({ email: `${name}-${company.id}@seats.test` }));
  await app.services.db.systemTransaction((tx) =>
    tx.updateTable('company').set({ plan_seats: 4 }).where('id', '=', company.id).execute(),
  );
  const [first, second, third] = found(await invite(owner, rows, { check: true }));
  expect([first, second]).toEqual(['ready', 'ready']);
  expect(third).toMatch(/4/);
  expect((await invite(user, rows)).status).toBe(403);
  const { owner: outsider } = await app.createCompany();
  const elsewhere = await app.as(outsider).request(contract.inviteMany, {
    params: { companyId: company.id },
    body: { rows },
  });
  expect(elsewhere.status).toBe(404);
  await app.unconfirm(owner);
  const risen = [{ email: `d-${company.id}@seats.test`, role: 'Administrator' }];
  expect((await invite(owner, risen)).status).toBe(403);
  expect((await invite(owner, risen, { check: true })).status).toBe(200);
});
