import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  callAnalytics as contract,
  exporting,
  favorites,
  organizations,
  reportLinks,
} from '#contract';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { figuresOf, isAskedFor, type OwnedCall } from '../../../../test/support/expected-calls.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { textOfPdf } from '../../../../test/support/read-pdf.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { sendReports } from '../report-mails/send-reports.ts';

/** Call reports of an organization of two companies: on screen, in files, by email and by link. */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const tz = 'America/Chicago';
const range = { start: '2026-10-20', end: '2026-11-12', tz };
const [one, two, foreign] = [
  await companyWithCalls(app, 61),
  await companyWithCalls(app, 62),
  await companyWithCalls(app, 63),
];
const at = (time: string): void => {
  app.clock.value = new Date(time);
};
at('2026-11-13T18:00:00Z');
const made = await app.as(one.owner).request(organizations.createOrganization, {
  body: { name: 'Clinics', companyIds: [one.company.id] },
});
const unit = made.body.data.id;
const db = app.services.db.unscoped;
await sql`update company set organization_id = ${unit} where id = ${two.company.id}`.execute(db);
await sql`update organization set timezone = ${tz} where id = ${unit}`.execute(db);
const names = [one.company.name, two.company.name].toSorted();

const request = (who: TestPerson, query: Record<string, unknown>) =>
  app.as(who).request(contract.analyzeCalls, {
    query: { company_id: who.companyId, ...range, business_unit_ids: [unit], ...query },
  });
async function ask(who: TestPerson, query: Record<string, unknown> = {}) {
  const answer = await request(who, query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const expected = (calls: readonly OwnedCall[]) =>
  figuresOf(calls.filter((call) => isAskedFor(call, { ...range, group: 'none', target: 'calls' })));

/** Asks for a file, lets its job run, and says where it is. */
async function fileUrl(who: TestPerson, query: Record<string, unknown>): Promise<string> {
  const { meta } = await ask(who, { format: 'csv', ...query });
  await app.drainJobs();
  const { body } = await app.as(who).request(exporting.exportProgress, {
    params: { batchId: String(meta['batchId']) },
    query: { companyId: who.companyId },
  });
  return String(body.data.resultUrl);
}
const fetchFile = (who: TestPerson, url: string) =>
  app.server.inject({ method: 'GET', url, headers: { authorization: `Bearer ${who.token}` } });
const rowsOf = ({ body }: { body: string }) =>
  parse(body, { bom: true, columns: true }) as Record<string, string>[];

/** Someone of the first company, who is in the second one as `role`. */
async function inBoth(role: string, numbers: readonly number[] | null = null) {
  const person = await app.createPerson(one.company.id, 'administrator');
  await app.services.db.systemTransaction((tx) =>
    sql`insert into membership (company_id, user_id, role, number_ids)
      values (${two.company.id}, ${person.id}, ${role},
        coalesce(${numbers}::bigint[], '{}'))`.execute(tx),
  );
  return person;
}
const leave = (person: TestPerson) =>
  app.services.db.systemTransaction((tx) =>
    sql`delete from membership
      where company_id = ${two.company.id} and user_id = ${person.id}`.execute(tx),
  );

describe('files', () => {
  test('have the calls of all companies as the screen has them, and say whose they are', async () => {
    const answer = await ask(one.owner, { group: 'company' });
    expect(answer.totals).toEqual(expected([...one.calls, ...two.calls]));
    expect(answer.meta.companies?.map(({ name }) => name)).toEqual(names);
    const file = rowsOf(await fetchFile(one.owner, await fileUrl(one.owner, { group: 'company' })));
    expect(file.map((row) => [row['Key'], row['Name'], Number(row['Calls'])])).toEqual(
      answer.data.map(({ key, label, figures }) => [key, label, figures.calls]),
    );
    const url = await fileUrl(one.owner, { group: 'number', format: 'pdf', title: 'Our lines' });
    const pdf = await textOfPdf((await fetchFile(one.owner, url)).rawPayload);
    expect(pdf).toContain('Organization Clinics');
    expect(pdf).toContain(`Companies: ${names.join(', ')}`);
    const alone = await ask(one.owner, { company_ids: [two.company.id] });
    expect(alone.totals).toEqual(expected(two.calls));
    expect((await ask(one.owner, { business_unit_ids: [] })).meta.companies).toBeNull();
  });

  test('end with the access to one of their companies, and are the requester’s alone', async () => {
    const person = await inBoth('administrator');
    const url = await fileUrl(person, {});
    expect((await fetchFile(person, url)).statusCode).toBe(200);
    expect((await fetchFile(one.owner, url)).statusCode).toBe(404);
    await leave(person);
    expect((await fetchFile(person, url)).statusCode).toBe(404);
  });

  test('hold only the numbers that the person sees there, also those taken away meanwhile', async () => {
    const [first = 0, second = 0] = two.numbers;
    const person = await inBoth('reporting', [first]);
    const own = two.calls.filter(({ number_id }) => number_id === first);
    const answer = await ask(person);
    expect(answer.totals).toEqual(expected([...one.calls, ...own]));
    expect(answer.meta.companies).toContainEqual({
      ...{ id: two.company.id, name: two.company.name, is_limited: true },
    });
    const file = rowsOf(await fetchFile(person, await fileUrl(person, { group: 'number' })));
    expect(file.map((row) => Number(row['Key']))).not.toContain(second);
    expect(file.reduce((sum, row) => sum + Number(row['Calls']), 0)).toBe(answer.totals.calls);
    // Asked for, then no longer in the company when it is written.
    await app.stopJobs();
    const begun = await ask(person, { format: 'csv', group: 'company' });
    await leave(person);
    await app.drainJobs();
    const { rows } = await sql<{ result: unknown }>`select result from batch
      where company_id = ${one.company.id} and id = ${String(begun.meta['batchId'])}`.execute(db);
    expect(JSON.stringify(rows)).toContain('"rows":1,');
  });

  test('are refused by name where calls of a company can’t be exported', async () => {
    const set = (may: boolean) =>
      sql`update company set settings = settings || jsonb_build_object('users_can_export',
        ${may}::boolean) where id = ${two.company.id}`.execute(db);
    const person = await inBoth('user', two.numbers);
    await set(false);
    const refused = await request(person, { format: 'csv' });
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.objectContaining({
        errors: {
          company_ids: [`You can’t export calls of ${two.company.name}. Choose another company.`],
        },
      }),
    ]);
    expect((await request(person, { format: 'csv', company_ids: [one.company.id] })).status).toBe(
      200,
    );
    await set(true);
    expect((await request(person, { format: 'csv' })).status).toBe(200);
    // Of an organization that isn't theirs there is none.
    expect((await request(foreign.owner, { format: 'csv' })).status).toBe(422);
    expect((await ask(foreign.owner)).meta.companies).toEqual([]);
  });

  test('hide what is hidden from the person in one of the companies', async () => {
    const person = await inBoth('user', two.numbers);
    const label = async (masked: boolean): Promise<string> => {
      await sql`update company set settings = settings || jsonb_build_object(
        'mask_contact_details_for_users', ${masked}::boolean)
        where id = ${two.company.id}`.execute(db);
      return (await fetchFile(person, await fileUrl(person, { group: 'forward' }))).body;
    };
    expect(await label(false)).toContain('+14155550172');
    expect((await label(true)).replaceAll(/\D/g, '')).not.toContain('4155550172');
    await sql`update company set settings = settings - 'mask_contact_details_for_users'
      where id = ${two.company.id}`.execute(db);
  });
});

/** A favorite of the organization’s calls by company. */
const favorite = async (who: TestPerson, more: object = {}) => {
  const saved = await app.as(who).request(favorites.createFavoriteReport, {
    body: {
      company_id: who.companyId,
      name: 'All clinics',
      value: {
        path: '/analytics/calls',
        filters: { group: 'company', organization: String(unit), period: 'week' },
      },
      ...more,
    },
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(201);
  return saved.body.data.id;
};

test('a favorite is emailed with the calls of all, by the organization’s days, until they leave', async () => {
  const person = await inBoth('administrator');
  const to = 'all@clinics.test';
  await favorite(person, { schedule: { frequency: 'weekly', hour: 0, recipients: [to] } });
  // Monday in New York, still Sunday in Chicago.
  at('2026-11-09T05:30:00Z');
  await sendReports(inbox.inCompany(1));
  expect(await app.mails(to)).toEqual([]);
  at('2026-11-09T06:30:00Z');
  await sendReports(inbox.inCompany(1));
  const [mail, ...more] = await app.mails(to);
  expect(more).toEqual([]);
  expect(mail?.subject).toContain('Clinics: All clinics');
  const week = { start: '2026-11-02', end: '2026-11-08' };
  const screen = await ask(person, { ...week, group: 'company' });
  expect(screen.data).toHaveLength(2);
  for (const { label, figures } of screen.data)
    expect(mail?.text).toContain(`${label}: ${figures.calls}`);
  expect(mail?.text).toContain(`organization=${unit}`);
  await leave(person);
  await sql`delete from membership where company_id = ${one.company.id}
    and user_id = ${person.id}`.execute(db);
  at('2026-11-16T06:30:00Z');
  await sendReports(inbox.inCompany(1));
  expect(await app.mails(to)).toHaveLength(1);
});

test('a link opens the calls of all without an account, until its maker leaves the organization', async () => {
  at('2026-11-13T18:00:00Z');
  const person = await app.createPerson(foreign.company.id, 'administrator');
  const join = (company: number) =>
    app.services.db.systemTransaction((tx) =>
      sql`insert into membership (company_id, user_id, role)
        values (${company}, ${person.id}, 'administrator')`.execute(tx),
    );
  const share = async (id: number) =>
    app.as(person).request(reportLinks.createReportLink, {
      body: { company_id: foreign.company.id, favorite_id: id, last_day: '2026-12-01' },
    });
  const id = await favorite(person);
  expect((await share(id)).status).toBe(403);
  await join(one.company.id);
  await join(two.company.id);
  const token = (await share(id)).body.data.link.split('#')[1]!;
  const open = () => app.as(null).request(reportLinks.openReportLink, { body: { token } });
  const { data: report } = (await open()).body;
  expect(report.company.name).toBe('Clinics');
  expect([report.tz, report.range.end]).toEqual([tz, '2026-11-13']);
  expect(report.filters).toContain(`Companies: ${names.join(', ')}`);
  expect(report.rows.map(({ key, label }) => [key, label]).toSorted()).toEqual(
    report.rows.map(({ label }, n) => [String(n), label]).toSorted(),
  );
  expect(report.totals).toEqual((await ask(one.owner, { ...report.range })).totals);
  for (const company of [one.company.id, two.company.id])
    await sql`delete from membership where company_id = ${company}
      and user_id = ${person.id}`.execute(db);
  expect((await open()).status).toBe(404);
  const { body } = await app.as(person).request(reportLinks.listReportLinks, {
    query: { company_id: foreign.company.id },
  });
  expect(body.data.map(({ closed }) => closed)).toEqual(['maker']);
});
