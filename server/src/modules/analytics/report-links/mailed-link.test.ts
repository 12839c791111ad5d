import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callAnalytics, favorites, reportLinks } from '#contract';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { sendReports } from '../report-mails/send-reports.ts';
import { viewToken } from './mailed-link.ts';

/** The link of a report's email, for readers who have no account. */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const { appSecret } = app.services.settings;
const at = (time: string): void => {
  app.clock.value = new Date(time);
};
const outside = 'adviser@elsewhere.test';
const week = { start: '2027-03-08', end: '2027-03-14' };

async function mailed() {
  at('2027-03-14T16:00:00Z');
  const { company, owner } = await app.createCompany();
  const [front, back] = [await inbox.number(company.id), await inbox.number(company.id)];
  await app.services.db.systemTransaction(async (tx) => {
    for (const [number, day, n] of [
      [front, 10, 8],
      [back, 11, 4],
      [back, 4, 5],
    ] as const)
      await sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number,
          party, status, outcome, started_at, ended_at)
        select ${company.id}, ${number.id}, 'sandbox', false, '+12125550147', ${number.number},
          '+12125550147', 12, 1, ${`2027-03-${day}T15:00:00Z`}::timestamptz, now()
        from generate_series(1, ${n}::int) i`.execute(tx);
  });
  const member = await app.createPerson(company.id, 'reporting');
  const recipients = [outside.toUpperCase(), member.email];
  const saved = await app.as(owner).request(favorites.createFavoriteReport, {
    body: {
      company_id: company.id,
      name: 'Lines',
      value: { path: '/analytics/calls', filters: { group: 'number', period: 'year' } },
      schedule: { frequency: 'weekly', hour: 8, recipients },
    },
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  at('2027-03-15T12:10:00Z');
  await sendReports(inbox.inCompany(1));
  const mail = (await app.mails(outside.toUpperCase())).at(-1)!;
  const theirs = (await app.mails(member.email)).at(-1)!;
  const token = /\/shared\/report#(\S+)/.exec(mail.text)![1]!;
  return { company, owner, id: saved.body.data.id, mail, theirs, token };
}
const open = (token: string) =>
  app.as(null).request(reportLinks.openReportLink, { body: { token } });
const change = (who: TestPerson, id: number, body: object) =>
  app.as(who).request(favorites.updateFavoriteReport, {
    params: { id },
    body: { company_id: who.companyId, ...body },
  });

test('it opens the days of the email without an account; who has one is led into the app', async () => {
  const { company, owner, mail, theirs, token } = await mailed();
  expect(mail.text).toContain('Open it without an account until Apr 14: http');
  expect(theirs.text).not.toContain('/shared/report');
  expect(theirs.text).toContain('/analytics/calls?');
  const { status, body } = await open(token);
  expect(status, JSON.stringify(body)).toBe(200);
  const { data } = body;
  expect(data).toMatchObject({
    name: 'Lines',
    range: week,
    expires_at: '2027-04-15T00:00:00.000Z',
  });
  expect(data.company.name).toBe(company.name);
  const screen = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: { company_id: company.id, group: 'number', tz: data.tz, ...week },
  });
  expect(data.totals).toEqual(screen.body.totals);
  expect(data.totals.calls).toBe(12);
  expect(data.before.calls).toBe(5);
  for (const { label, value } of data.rows) expect(mail.text).toContain(`${label}: ${value}`);
});

test('no other address, days or report is opened by it', async () => {
  const { company, id, token } = await mailed();
  const made = (of: object, address = outside, range = week) =>
    viewToken(appSecret, { companyId: company.id, id, ...of }, range, address);
  expect(made({})).toBe(token);
  const other = await mailed();
  const signature = /[^-]+$/.exec(token)![0];
  for (const wrong of [
    token.replace('20270308', '20260308'),
    token.slice(0, -1),
    `${token}x`,
    token.replace(`-${id}-`, `-${other.id}-`),
    `mail-${company.id}-${id}-20270308-20279999-${signature}`,
    `mail-0-0-00000000-00000000-${signature}`,
    made({}, 'stranger@elsewhere.test'),
    made({ id: other.id }),
  ])
    expect((await open(wrong)).status, wrong).toBe(404);
});

test('it ends with the address, the schedule, the owner’s right, and a month', async () => {
  const { owner, id, token, company } = await mailed();
  const schedule = { frequency: 'weekly', hour: 8, recipients: ['other@elsewhere.test'] };
  const back = { ...schedule, recipients: [outside] };
  const isOpen = async () => (await open(token)).status === 200;
  for (const without of [schedule, null]) {
    await change(owner, id, { schedule: without });
    expect(await isOpen(), JSON.stringify(without)).toBe(false);
    await change(owner, id, { schedule: back });
    expect(await isOpen()).toBe(true);
  }
  const set = (what: string) =>
    app.services.db.pool.query(
      `update membership set ${what} where company_id = $1 and user_id = $2`,
      [company.id, owner.id],
    );
  await set(`role = 'billing'`);
  expect(await isOpen()).toBe(false);
  await set(`role = 'owner'`);
  at('2027-04-14T23:59:00Z');
  expect(await isOpen()).toBe(true);
  at('2027-04-15T00:00:00Z');
  expect(await isOpen()).toBe(false);
});
