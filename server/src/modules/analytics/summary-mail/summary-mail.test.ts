import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { analytics, settings } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { periodOf, sendSummaries } from './send-summaries.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const set = (who: TestPerson, values: object) =>
  app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId },
    body: values,
  });
const at = (time: string): void => {
  app.clock.value = new Date(time);
};
const run = () => sendSummaries(inbox.inCompany(1));
let companies = 0;

/** A company in New York that wants figures at an address of its own, with calls of two weeks. */
async function aCompany(frequency: 'daily' | 'weekly', calls: readonly [at: string, n: number][]) {
  const { company, owner } = await app.createCompany();
  const to = `boss${++companies}@figures.test`;
  const number = await inbox.number(company.id);
  await set(owner, {
    timezone: 'America/New_York',
    summary_email: { frequency, recipients: [to, to.toUpperCase()] },
  });
  for (const [time, n] of calls)
    await app.services.db.systemTransaction((tx) =>
      sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party,
          status, outcome, started_at, ended_at)
        select ${company.id}, ${number.id}, 'sandbox', false, '+12125550147', ${number.number},
          '+12125550147', 12, case when i % 4 = 0 then 2 else 1 end, ${time}::timestamptz,
          ${time}::timestamptz from generate_series(1, ${n}::int) i`.execute(tx),
    );
  return { company, owner, to, mails: () => app.mails(to) };
}

test('a week’s figures are mailed on Monday morning in the company’s zone, once an address', async () => {
  const { owner, company, mails } = await aCompany('weekly', [
    ['2027-03-02T15:00:00Z', 10],
    ['2027-03-08T15:00:00Z', 4],
    ['2027-03-11T15:00:00Z', 8],
    // Sunday evening in New York is Monday in UTC.
    ['2027-03-15T03:30:00Z', 3],
    ['2027-03-15T11:30:00Z', 7],
  ]);
  at('2027-03-14T13:00:00Z');
  await run();
  at('2027-03-15T11:59:00Z');
  await run();
  expect(await mails()).toEqual([]);
  at('2027-03-15T12:05:00Z');
  await run();
  at('2027-03-15T13:05:00Z');
  await run();
  const sent = await mails();
  expect(sent).toHaveLength(1);
  expect(sent[0]!.subject).toMatch(/: your week, Mar 8 to Mar 14$/);
  expect(sent[0]!.text).toContain(
    'had 15 calls, 50% more than the week before. 80% were answered.',
  );
  expect(sent[0]!.text).toMatch(/^Missed: 3 \(50% more\)$/m);
  expect(sent[0]!.text).toContain(
    '/analytics/dashboard?period=custom&from=2027-03-08&to=2027-03-14',
  );
  // The same figures as on screen.
  const { body } = await app.as(owner).request(analytics.callKpi, {
    params: { companyId: company.id },
    body: { currentRange: { start: '2027-03-08', end: '2027-03-14' }, tz: 'America/New_York' },
  });
  expect(body.data.current).toMatchObject({ total: 15, missed: 3 });
  const bars = [...sent[0]!.html.matchAll(/color:#5b6270">(\d+)<div style="height:(\d+)px/g)];
  expect(bars.map(([, total]) => Number(total))).toEqual([4, 0, 0, 8, 0, 0, 3]);
  expect(bars.map(([, , height]) => Number(height))).toEqual([36, 2, 2, 72, 2, 2, 27]);
});

test('a day’s figures come every morning, also of a day without calls', async () => {
  const { owner, mails } = await aCompany('daily', [
    ['2027-04-06T15:00:00Z', 1],
    ['2027-04-08T15:00:00Z', 7],
  ]);
  at('2027-04-07T12:10:00Z');
  await run();
  expect(await mails()).toMatchObject([
    {
      subject: expect.stringMatching(/: your day, Tue, Apr 6$/),
      text: expect.stringContaining('had 1 call, 1 more than the day before. 100% were answered.'),
    },
  ]);
  at('2027-04-08T12:10:00Z');
  await run();
  expect((await mails())[1]!.text).toContain('had no calls.');
  at('2027-04-09T12:10:00Z');
  await run();
  expect((await mails())[2]!.text).toContain(' 85.7% were answered.');
  await set(owner, { summary_email: null });
  at('2027-04-10T12:10:00Z');
  await run();
  expect(await mails()).toHaveLength(3);
});

test('an address is needed, and must be one; a deactivated company sends nothing', async () => {
  const { owner, company, mails } = await aCompany('daily', []);
  const wrong = async (summary_email: object) => {
    const { status, body } = await set(owner, { summary_email });
    return [status, Object.keys((body as unknown as { errors: object }).errors)];
  };
  expect(await wrong({ frequency: 'weekly', recipients: [] })).toEqual([
    422,
    ['summary_email.recipients'],
  ]);
  expect((await wrong({ frequency: 'weekly', recipients: ['nobody'] }))[0]).toBe(422);
  await app.services.db.pool.query('update company set status = 2 where id = $1', [company.id]);
  at('2027-05-04T12:10:00Z');
  await run();
  expect(await mails()).toEqual([]);
});

test('weeks and days end yesterday, over the ends of months and years', () => {
  expect(periodOf({ today: '2027-01-04', frequency: 'weekly' })).toMatchObject({
    start: '2026-12-28',
    end: '2027-01-03',
  });
  expect(periodOf({ today: '2028-03-01', frequency: 'daily' })).toMatchObject({
    start: '2028-02-29',
    end: '2028-02-29',
  });
});
