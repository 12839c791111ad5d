import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callAnalytics, favorites, type BodyIn } from '#contract';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { periodBefore, sendReports } from './send-reports.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
type Body = BodyIn<typeof favorites.createFavoriteReport>;
type Schedule = NonNullable<Body['schedule']>;
const report = (filters: object = { group: 'number' }) => ({ path: '/analytics/calls', filters });
const save = (who: TestPerson, body: Partial<Body>) =>
  app.as(who).request(favorites.createFavoriteReport, {
    body: { company_id: who.companyId, name: 'By number', value: report(), ...body },
  });
const change = (who: TestPerson, id: number, body: object) =>
  app.as(who).request(favorites.updateFavoriteReport, {
    params: { id },
    body: { company_id: who.companyId, ...body },
  });
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;
const fieldsOf = ({ body }: { body: unknown }) => Object.keys((body as { errors: object }).errors);
const at = (time: string): void => {
  app.clock.value = new Date(time);
};
const run = () => sendReports(inbox.inCompany(1));
let addresses = 0;
const anAddress = (): string => `reader${++addresses}@reports.test`;
const weekly = (...recipients: string[]): Schedule => ({
  frequency: 'weekly',
  hour: 8,
  recipients,
});

/** A company in New York with two numbers; `call` adds calls to one of them. */
async function aCompany() {
  const { company, owner } = await app.createCompany();
  await app.services.db.pool.query(
    `update company set timezone = 'America/New_York' where id = $1`,
    [company.id],
  );
  const [front, back] = [await inbox.number(company.id), await inbox.number(company.id)];
  const call = (number: typeof front, time: string, n: number) =>
    app.services.db.systemTransaction((tx) =>
      sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party,
          status, outcome, started_at, ended_at)
        select ${company.id}, ${number.id}, 'sandbox', false, '+12125550147', ${number.number},
          '+12125550147', 12, case when i % 4 = 0 then 2 else 1 end, ${time}::timestamptz,
          ${time}::timestamptz from generate_series(1, ${n}::int) i`.execute(tx),
    );
  return { company, owner, front, back, call };
}

test('a report is emailed on Monday at its hour in the company’s zone, once an address, with the figures of the screen', async () => {
  const { company, owner, front, back, call } = await aCompany();
  await call(front, '2027-03-02T15:00:00Z', 10);
  await call(front, '2027-03-10T15:00:00Z', 8);
  await call(back, '2027-03-11T15:00:00Z', 4);
  // Sunday evening in New York is Monday in UTC.
  await call(back, '2027-03-15T03:30:00Z', 3);
  await call(back, '2027-03-15T11:30:00Z', 7);
  const to = anAddress();
  const made = await save(owner, { name: 'Our lines', schedule: weekly(to, to.toUpperCase()) });
  expect(made.body.data.schedule).toEqual({
    frequency: 'weekly',
    hour: 8,
    recipients: [to.toUpperCase()],
  });
  for (const time of ['2027-03-14T13:15:00Z', '2027-03-15T11:59:00Z']) {
    at(time);
    await run();
  }
  expect(await app.mails(to.toUpperCase())).toEqual([]);
  for (const time of ['2027-03-15T12:10:00Z', '2027-03-15T13:10:00Z']) {
    at(time);
    await run();
  }
  const [mail, ...more] = await app.mails(to.toUpperCase());
  expect(more).toEqual([]);
  expect(mail!.subject).toMatch(/: Our lines, Mar 8 to Mar 14$/);
  expect(mail!.text).toContain('15 calls, 50% more than the week before. 80% were answered.');
  expect(mail!.text).toContain(
    '/analytics/calls?group=number&period=custom&from=2027-03-08&to=2027-03-14',
  );
  const screen = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: {
      ...{ company_id: company.id, group: 'number', tz: 'America/New_York' },
      ...{ start: '2027-03-08', end: '2027-03-14' },
    },
  });
  expect(screen.body.data).toHaveLength(2);
  for (const row of screen.body.data) expect(mail!.text).toContain(`${row.label}: ${row.value}`);
  // It goes on with the next week, and stops when it is told to.
  at('2027-03-22T12:10:00Z');
  await run();
  expect(await app.mails(to.toUpperCase())).toHaveLength(2);
  await change(owner, made.body.data.id, { schedule: null });
  at('2027-03-29T12:10:00Z');
  await run();
  expect(await app.mails(to.toUpperCase())).toHaveLength(2);
});

test('a report says what its owner may see at that moment, and ends with their right', async () => {
  const { company, front, back, call } = await aCompany();
  await call(front, '2027-04-06T15:00:00Z', 5);
  await call(back, '2027-04-06T15:00:00Z', 2);
  const manager = await app.createPerson(company.id, 'administrator');
  const to = anAddress();
  const daily: Schedule = { frequency: 'daily', hour: 8, recipients: [to] };
  const made = await save(manager, { schedule: daily });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  at('2027-04-07T12:10:00Z');
  await run();
  expect((await app.mails(to))[0]!.text).toContain('7 calls');
  await call(front, '2027-04-07T15:00:00Z', 5);
  await call(back, '2027-04-07T15:00:00Z', 2);
  const become = (role: string, numbers: number[]) =>
    app.services.db.pool.query(
      'update membership set role = $3, number_ids = $4 where company_id = $1 and user_id = $2',
      [company.id, manager.id, role, numbers],
    );
  await become('reporting', [back.id]);
  at('2027-04-08T12:10:00Z');
  await run();
  const mails = await app.mails(to);
  expect(mails).toHaveLength(2);
  expect(mails[1]!.text).toContain('2 calls');
  expect(mails[1]!.text).not.toContain(': 5');
  // Who can’t export any more sends nothing, and can’t begin.
  await become('billing', []);
  at('2027-04-09T12:10:00Z');
  await run();
  expect(await app.mails(to)).toHaveLength(2);
  const refused = await save(manager, { name: 'Again', schedule: daily });
  expect([refused.status, codeOf(refused)]).toEqual([403, 'role.forbidden']);
  expect((await save(manager, { name: 'Without' })).status).toBe(201);
  // Who left sends nothing, either.
  await become('administrator', []);
  await app.services.db.pool.query(
    'delete from membership where company_id = $1 and user_id = $2',
    [company.id, manager.id],
  );
  at('2027-04-10T12:10:00Z');
  await run();
  expect(await app.mails(to)).toHaveLength(2);
});

test('only call reports of one’s own are emailed, and someone who edits settings can stop them', async () => {
  const { company, owner } = await aCompany();
  const manager = await app.createPerson(company.id, 'administrator');
  const schedule = weekly(anAddress());
  expect(fieldsOf(await save(owner, { schedule: weekly() }))).toEqual(['schedule.recipients']);
  expect((await save(owner, { schedule: weekly('nowhere') })).status).toBe(422);
  expect((await save(owner, { schedule: { ...schedule, hour: 24 } })).status).toBe(422);
  expect(fieldsOf(await save(owner, { value: { path: '/inbox' }, schedule }))).toEqual([
    'schedule',
  ]);
  const { id } = (await save(manager, { shared: true, schedule })).body.data;
  expect(fieldsOf(await change(manager, id, { value: { path: '/inbox' } }))).toEqual(['schedule']);
  expect(codeOf(await change(owner, id, { schedule }))).toBe('favorite.not_yours');
  expect((await change(owner, id, { schedule: null })).body.data.schedule).toBeNull();
  const stranger = (await app.createCompany()).owner;
  expect((await change(stranger, id, { schedule: null })).status).toBe(404);
  const { rows } = await app.services.db.pool.query<{ after: { schedule: unknown } }>(
    'select after from audit_log where company_id = $1 and subject = $2 order by id desc limit 1',
    [company.id, `favorite_report:${id}`],
  );
  expect(rows[0]!.after.schedule).toBeNull();
});

test('one report that can’t be counted doesn’t hold up the others', async () => {
  const { company, owner, front, call } = await aCompany();
  await call(front, '2027-05-04T15:00:00Z', 1);
  const [bad, good] = [anAddress(), anAddress()];
  const daily = (to: string): Schedule => ({ frequency: 'daily', hour: 0, recipients: [to] });
  const first = await save(owner, { name: 'First', schedule: daily(bad) });
  await save(owner, { name: 'Second', schedule: daily(good), value: report({ group: 'day' }) });
  await app.services.db.pool.query(
    `update favorite_report set value = '{"path":' where company_id = $1 and id = $2`,
    [company.id, first.body.data.id],
  );
  at('2027-05-05T04:10:00Z');
  await run();
  expect(await app.mails(bad)).toEqual([]);
  expect((await app.mails(good))[0]!.text).toContain('1 call, 1 more than the day before.');
});

test('days, weeks and months end yesterday, over the ends of months and years', () => {
  expect(periodBefore('2028-03-01', 'daily')).toEqual({ start: '2028-02-29', end: '2028-02-29' });
  expect(periodBefore('2027-01-04', 'weekly')).toEqual({ start: '2026-12-28', end: '2027-01-03' });
  expect(periodBefore('2027-01-01', 'monthly')).toEqual({ start: '2026-12-01', end: '2026-12-31' });
});
