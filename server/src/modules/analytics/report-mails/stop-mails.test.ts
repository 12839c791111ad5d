import { expect, test } from 'vitest';
import { favorites } from '#contract';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { sendReports } from './send-reports.ts';
import { stopToken } from './stop-mails.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { appSecret } = app.services.settings;
let addresses = 0;
const anAddress = (): string => `stops${++addresses}@reports.test`;

/** A company whose report is emailed every day, sent once. */
async function aMailedReport(...recipients: string[]) {
  const { company, owner } = await app.createCompany();
  await app.services.db.pool.query(`update company set timezone = 'UTC' where id = $1`, [
    company.id,
  ]);
  const made = await app.as(owner).request(favorites.createFavoriteReport, {
    body: {
      company_id: company.id,
      name: 'Every day',
      value: { path: '/analytics/calls', filters: {} },
      schedule: { frequency: 'daily', hour: 8, recipients },
    },
  });
  app.clock.value = new Date('2027-03-15T08:10:00Z');
  await sendReports(inbox.inCompany(1));
  return { company, owner, id: made.body.data.id };
}
const stop = (token: string) =>
  app.as(null).request(favorites.stopReportMails, { body: { token } });
const tokenIn = async (address: string): Promise<string> => {
  const [mail] = await app.mails(address);
  return /\/report-mails\/stop\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
};
const scheduleOf = async (who: TestPerson) =>
  (
    await app
      .as(who)
      .request(favorites.listFavoriteReports, { query: { company_id: who.companyId } })
  ).body.data[0]!.schedule;

test('a reader without an account stops the emails to their address, and to no other', async () => {
  const [mine, theirs] = [anAddress(), anAddress()];
  const { company, owner, id } = await aMailedReport(mine, theirs);
  const token = await tokenIn(mine);
  expect(token).not.toContain(mine.split('@')[0]);
  const stopped = await stop(token);
  expect(stopped.status, JSON.stringify(stopped.body)).toBe(200);
  expect(stopped.body.data).toMatchObject({ name: 'Every day', email: 's•••@reports.test' });
  expect((await scheduleOf(owner))?.recipients).toEqual([theirs]);
  expect((await stop(token)).status).toBe(404);
  const { rows } = await app.services.db.pool.query<{ actor_kind: string; after: unknown }>(
    `select actor_kind, after from audit_log where company_id = $1 and subject = $2
       and action = 'favorite_report.mail_stopped'`,
    [company.id, `favorite_report:${id}`],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.after).toMatchObject({ schedule: { recipients: [theirs] } });
  app.clock.value = new Date('2027-03-16T08:10:00Z');
  await sendReports(inbox.inCompany(1));
  expect(await app.mails(mine)).toHaveLength(1);
  expect(await app.mails(theirs)).toHaveLength(2);
});

test('one click in a mail program stops them, opening the address asks first', async () => {
  const mine = anAddress();
  const { owner } = await aMailedReport(mine);
  const url = `/api/report-mails/stop/${await tokenIn(mine)}`;
  const opened = await app.as(null).inject({ method: 'GET', url });
  expect(opened.status).toBe(303);
  expect(String(opened.headers['location'])).toMatch(/\/report-mails\/stop\/\d+-\d+-/);
  expect((await scheduleOf(owner))?.recipients).toEqual([mine]);
  const click = () =>
    app.as(null).inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
  expect((await click()).status).toBe(200);
  // The last address ends the schedule. Mail programs ask again, and hear the same.
  expect(await scheduleOf(owner)).toBeNull();
  expect((await click()).status).toBe(200);
});

test('a guessed token, or one of another report, company or secret, stops nothing', async () => {
  const mine = anAddress();
  const { company, owner, id } = await aMailedReport(mine);
  const other = await aMailedReport(anAddress());
  const token = await tokenIn(mine);
  const signature = token.split('-').slice(2).join('-');
  for (const wrong of [
    'x',
    `${company.id}-${id}-x`,
    `${company.id}-${id}-${signature.slice(0, -1)}`,
    `${other.company.id}-${other.id}-${signature}`,
    `${company.id}-${other.id}-${signature}`,
    stopToken(Buffer.alloc(32), { companyId: company.id, id }, mine),
    stopToken(appSecret, { companyId: company.id, id }, anAddress()),
    `1e9-${id}-${signature}`,
  ])
    expect((await stop(wrong)).status, wrong).toBe(404);
  expect((await scheduleOf(owner))?.recipients).toEqual([mine]);
});
