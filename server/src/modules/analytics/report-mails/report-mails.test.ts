import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callAnalytics, favorites, type BodyIn } from '#contract';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { textOfPdf } from '../../../../test/support/read-pdf.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { unseal } from '../../../platform/secrets.ts';
import { readQuestion } from '../query/question.ts';
import { gatherReport } from '../report-files/gather-report.ts';
import { reportAttacher } from './attach-report.ts';
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
    attach: 'none',
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
  const [, second, ...others] = await app.mails(to.toUpperCase());
  expect(others).toEqual([]);
  // A rate is the screen's, not rounded.
  expect(second!.text).toContain('85.7% were answered.');
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

/** The files of the last email to an address, as they are sent. */
async function filesTo(address: string): Promise<{ name: string; bytes: Buffer }[]> {
  const { rows } = await app.services.db.pool.query<{ sealed: string }>(
    'select sealed from mail_outbox where to_address = $1 order by id desc limit 1',
    [address],
  );
  const { attachments } = JSON.parse(unseal(app.services.settings.appSecrets, rows[0]!.sealed)) as {
    attachments: { name: string; base64: string }[];
  };
  return attachments.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') }));
}

test('a report comes with the file that was chosen: the rows of an export, or a PDF', async () => {
  const { company, owner, front, back, call } = await aCompany();
  await call(front, '2027-06-01T15:00:00Z', 8);
  await call(back, '2027-06-01T16:00:00Z', 4);
  const [csv, pdf, plain] = [anAddress(), anAddress(), anAddress()];
  const daily = (to: string, attach?: 'csv' | 'pdf'): Schedule => ({
    ...{ frequency: 'daily', hour: 8, recipients: [to] },
    ...(attach && { attach }),
  });
  const first = await save(owner, { name: 'Łódź: lines!', schedule: daily(csv, 'csv') });
  expect(first.body.data.schedule).toMatchObject({ attach: 'csv' });
  await save(owner, { name: 'On paper', schedule: daily(pdf, 'pdf') });
  await save(owner, { name: 'Plain', schedule: daily(plain) });
  // Kept from before there were files.
  await app.services.db.pool.query(
    `update favorite_report set schedule = schedule - 'attach' where company_id = $1 and name = 'Plain'`,
    [company.id],
  );
  const wrong = { ...daily(plain), attach: 'xls' } as unknown as Schedule;
  expect((await save(owner, { name: 'Wrong', schedule: wrong })).status).toBe(422);
  at('2027-06-02T12:10:00Z');
  await run();
  const [table] = await filesTo(csv);
  expect(table!.name).toBe('łódź-lines-2027-06-02.csv');
  const [titles, ...rows] = parse(table!.bytes, { bom: true }) as string[][];
  expect([titles!.length, titles![1], titles![2]]).toEqual([27, 'Name', 'Calls']);
  expect(rows.map((row) => row[2])).toEqual(['8', '4']);
  // June 1 is a Tuesday.
  expect(rows.map((row) => row[titles!.indexOf('Tuesday')])).toEqual(['8', '4']);
  expect((await app.mails(csv))[0]!.text).toContain('The report is attached as a CSV file.');
  const [paper] = await filesTo(pdf);
  expect(paper!.name).toBe('on-paper-2027-06-02.pdf');
  const text = await textOfPdf(paper!.bytes);
  expect(text).toContain('On paper');
  expect(text).toContain('Period Jun 1, 2027');
  expect(text).toContain('Compared with May 31, 2027');
  expect(text).toMatch(/All calls 12 9 3 /);
  expect(await filesTo(plain)).toEqual([]);
  expect((await app.mails(plain))[0]!.text).not.toContain('attached');
});

test('a file hides from each reader what is hidden from them, and says when it is cut', async () => {
  const { company, owner, front, call } = await aCompany();
  await call(front, '2027-07-06T15:00:00Z', 3);
  await app.services.db.pool.query(
    `update call set source = '{"key": "x", "campaign": "Call +13475550188"}' where company_id = $1`,
    [company.id],
  );
  await app.services.db.pool.query(
    `update company set settings = settings || '{"mask_contact_details_for_users": true}' where id = $1`,
    [company.id],
  );
  const user = await app.createPerson(company.id, 'user');
  const [outside, recipients] = [anAddress(), [user.email]];
  for (const attach of ['csv', 'pdf'] as const)
    await save(owner, {
      ...{ name: `By ${attach}`, value: report({ group: 'campaign' }) },
      schedule: { frequency: 'daily', hour: 8, recipients: [...recipients, outside], attach },
    });
  at('2027-07-07T12:10:00Z');
  await run();
  const all = async (address: string): Promise<string> => {
    const files = await Promise.all(
      (
        await app.services.db.pool.query<{ sealed: string }>(
          'select sealed from mail_outbox where to_address = $1',
          [address],
        )
      ).rows.map(({ sealed }) => {
        const mail = JSON.parse(unseal(app.services.settings.appSecrets, sealed)) as {
          attachments: { base64: string; contentType: string }[];
        };
        const { base64 = '', contentType = '' } = mail.attachments[0] ?? {};
        const bytes = Buffer.from(base64, 'base64');
        return contentType === 'application/pdf' ? textOfPdf(bytes) : bytes.toString();
      }),
    );
    expect(files).toHaveLength(2);
    return files.join('\n');
  };
  expect((await all(outside)).match(/5550188/g)!.length).toBeGreaterThanOrEqual(2);
  const masked = await all(user.email);
  expect(masked).not.toContain('5550188');
  expect(masked).toContain('•••');
  // Cut where it would be too large for an email.
  const counted = await inbox.inCompany(company.id).transaction((t) =>
    gatherReport(t, {
      question: readQuestion(
        { start: '2027-07-06', end: '2027-07-06', tz: 'UTC', group: 'campaign', target: 'calls' },
        t.now,
      ),
      companies: [{ id: company.id, only: null, organizationId: null, name: company.name }],
      hidden: null,
    }),
  );
  const rows = Array.from({ length: 2001 }, () => counted.rows[0]!);
  const attached = await reportAttacher(
    inbox.inCompany(company.id),
    { companyId: company.id, id: 1, name: '!', today: '2027-07-07', attach: 'csv' },
    { ...counted, rows },
  )(outside);
  expect(attached.sentence).toBe(
    'The attached CSV file has the first 2,000 of 2,001 rows. Export the report to get all of them.',
  );
  const [file] = attached.attachments;
  expect(file!.name).toBe('report-2027-07-07.csv');
  expect((parse(file!.bytes, { bom: true }) as string[][]).length).toBe(2001);
});

test('days, weeks and months end yesterday, over the ends of months and years', () => {
  expect(periodBefore('2028-03-01', 'daily')).toEqual({ start: '2028-02-29', end: '2028-02-29' });
  expect(periodBefore('2027-01-04', 'weekly')).toEqual({ start: '2026-12-28', end: '2027-01-03' });
  expect(periodBefore('2027-01-01', 'monthly')).toEqual({ start: '2026-12-01', end: '2026-12-31' });
});
