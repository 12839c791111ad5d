import { expect, test } from 'vitest';
import { companies, support as contract } from '#contract';
import { multipartForm } from '../../../../test/support/samples.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { rotateSupportPins } from '../../companies/rotate-support-pins.ts';
import { systemCtx } from '../../../platform/context.ts';

const app = await createTestApp({ env: { SUPPORT_EMAIL: 'help@operator.test' } });
const text = (name: string, size: number) => ({
  field: 'attachments[]',
  name,
  type: 'text/plain',
  bytes: Buffer.alloc(size, 'a'),
});
const send = (
  who: TestPerson,
  fields: Record<string, string>,
  ...files: ReturnType<typeof text>[]
) =>
  app.as(who).inject({
    method: 'POST',
    url: `/api/contact/support-ticket/${who.companyId}`,
    ...multipartForm(fields, ...files),
  });
const own = async (who: TestPerson) =>
  (
    await app.as(who).request(contract.listSupportTickets, {
      params: { companyId: who.companyId },
    })
  ).body.data;
const asAdmin = { isadmin: '1' };

test('a ticket is stored with its files, confirmed by mail, and mailed to support', async () => {
  const { company, owner } = await app.createCompany('Harbor <Dental>');
  const sent = await send(
    owner,
    {
      message: 'Calls ring <once>.',
      callback_number: '(212) 555-0147',
      callback_requested: '1',
      page_url: '/numbers/1',
    },
    text('log.txt', 12),
  );
  expect(sent.status).toBe(201);
  const ticket = sent.body.data;
  expect(ticket).toMatchObject({
    reference: expect.stringMatching(/^S-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
    status: 'open',
    callback_requested: true,
    callback_number: '+12125550147',
    attachments: [{ name: 'log.txt', bytes: 12 }],
  });
  const file = await app.as(null).inject({ method: 'GET', url: ticket.attachments[0].url });
  expect([file.status, file.body]).toEqual([200, 'aaaaaaaaaaaa']);
  expect((await app.mails(owner.email))[0]).toMatchObject({
    subject: `We received your request ${ticket.reference}`,
    html: expect.stringContaining('Calls ring &lt;once&gt;.'),
  });
  const [mail] = await app.mails('help@operator.test');
  expect(mail!.text).toContain('Call back: (212) 555-0147');
  expect(mail!.text).toContain('Page: /numbers/1');
  expect(await own(owner)).toMatchObject([{ id: ticket.id }]);
  expect(await own(await app.createPerson(company.id, 'user'))).toEqual([]);
});

test('a sixth file, a file above 10 MB, an empty message and no number to call are refused', async () => {
  const { owner } = await app.createCompany();
  const six = Array.from({ length: 6 }, (_, i) => text(`${i}.txt`, 3));
  expect((await send(owner, { message: 'Help' }, ...six)).body.code).toBe('support.files_many');
  const large = text('large.txt', 10 * 1024 * 1024 + 1);
  expect((await send(owner, { message: 'Help' }, large)).body.code).toBe('support.file_large');
  expect((await send(owner, { message: ' ' })).status).toBe(422);
  for (const callback_number of ['12', 'call me at work'])
    expect(
      (await send(owner, { message: 'Help', callback_requested: '1', callback_number })).body,
    ).toMatchObject({
      errors: { callback_number: [`“${callback_number}” isn’t a phone number.`] },
    });
  expect(await own(owner)).toEqual([]);
});

test('the support PIN is the company’s, finds it for staff only, and changes every week', async () => {
  const { company, owner } = await app.createCompany();
  const colleague = await app.createPerson(company.id, 'user');
  const pinOf = async (who: TestPerson) =>
    (await app.as(who).request(companies.getUser)).body.data.support_pins;
  const [first] = await pinOf(owner);
  expect(first).toEqual({ company_id: company.id, pin: expect.stringMatching(/^\d{6}$/) });
  expect(await pinOf(colleague)).toEqual([first]);
  const find = (who: TestPerson, headers = {}) =>
    app.as(who).request(contract.findCompaniesByPin, { query: { pin: first!.pin }, headers });
  const staff = await app.createStaff();
  expect((await find(owner)).status).toBe(403);
  expect((await find(staff)).status).toBe(403);
  expect((await find(staff, asAdmin)).body.data).toContainEqual(
    expect.objectContaining({ id: company.id }),
  );
  // Six digits may be drawn again: of two changes, at least one is seen.
  const ctx = systemCtx(app.services, 0, app.notifier);
  await rotateSupportPins(ctx);
  const [second] = await pinOf(owner);
  await rotateSupportPins(ctx);
  const [third] = await pinOf(owner);
  expect(new Set([first!.pin, second!.pin, third!.pin]).size).toBeGreaterThan(1);
});

test('staff see tickets of every company and how the installation is doing; owners don’t', async () => {
  const { company, owner } = await app.createCompany();
  await send(owner, { message: 'Where is my invoice?' });
  const staff = await app.createStaff();
  const tickets = await app
    .as(staff)
    .request(contract.listAllSupportTickets, { query: { search: 'invoice' }, headers: asAdmin });
  expect(tickets.body.data).toMatchObject([
    { company: { id: company.id }, user: { email: owner.email }, message: 'Where is my invoice?' },
  ]);
  for (const e of [contract.listAllSupportTickets, contract.getSystemStatus])
    expect((await app.as(owner).request(e)).status).toBe(403);
  const { body } = await app.as(staff).request(contract.getSystemStatus, { headers: asAdmin });
  expect(body.data).toMatchObject({
    events: { unpublished: expect.any(Number) },
    third_parties: expect.arrayContaining([expect.objectContaining({ kind: 'carrier' })]),
    storage: { kind: 'disk', free_bytes: expect.any(Number) },
    migrations: { last: expect.stringMatching(/\.sql$/) },
  });
  expect(body.data.jobs.find((j) => j.job === 'mail.send')?.waiting).toBeGreaterThan(0);
});

test('staff see the last good backup, and a later failure beside it', async () => {
  const staff = await app.createStaff();
  const backups = async () =>
    (await app.as(staff).request(contract.getSystemStatus, { headers: asAdmin })).body.data.backups;
  expect(await backups()).toEqual({ scheduled: false, last_good: null, failed: null });
  const add = (name: string, day: number, error: string | null, checkError: string | null = null) =>
    app.services.db.pool.query(
      `insert into backup_run (name, place, started_at, finished_at, bytes, error, checked_at, check_error)
        values ($1, '/mnt', $2, $2, 5000, $3, $2, $4)`,
      [name, `2026-11-${day}T02:30:00Z`, error, checkError],
    );
  await add('good', 20, null);
  expect(await backups()).toMatchObject({
    last_good: { name: 'good', place: '/mnt', bytes: 5000, checked: true },
    failed: null,
  });
  await add('differs', 21, null, 'The copy differs: call has 2 rows instead of 3');
  expect(await backups()).toMatchObject({
    last_good: { name: 'good' },
    failed: { at: '2026-11-21T02:30:00.000Z', reason: expect.stringContaining('instead of 3') },
  });
  await add('newer', 22, null);
  expect(await backups()).toMatchObject({ last_good: { name: 'newer' }, failed: null });
});

test('staff see how far calls and texts are added up, and when sums were wrong', async () => {
  const staff = await app.createStaff();
  const { company } = await app.createCompany();
  const { pool } = app.services.db;
  const sums = async () =>
    (await app.as(staff).request(contract.getSystemStatus, { headers: asAdmin })).body.data
      .call_sums;
  const before = await sums();
  expect(before).toMatchObject({ counting: 0, checked_at: null, repaired: null });
  expect(before.companies).toBeGreaterThan(0);
  const update = (what: string, of = 'call') =>
    pool.query(`update ${of}_rollup_company set ${what} where company_id = $1`, [company.id]);
  await update(`counted_from = '2026-10-01'`);
  expect(await sums()).toMatchObject({ ...before, counting: 1 });
  await update(`counted_from = '-infinity', more_counted_from = 'infinity'`);
  expect(await sums()).toMatchObject({ ...before, counting: 1 });
  await update(`more_counted_from = '-infinity', checked_at = '2026-11-20T03:00:00Z',
    repaired_at = '2026-11-19T03:00:00Z', repaired = 4`);
  expect(await sums()).toEqual({
    companies: before.companies,
    counting: 0,
    checked_at: '2026-11-20T03:00:00.000Z',
    repaired: { at: '2026-11-19T03:00:00.000Z', sums: 4 },
  });
  await update(`counted_from = '2026-10-01'`, 'item');
  expect(await sums()).toMatchObject({ companies: before.companies, counting: 1 });
  await update(
    `counted_from = '-infinity', repaired_at = '2026-11-20T03:00:00Z', repaired = 7`,
    'item',
  );
  expect(await sums()).toMatchObject({
    counting: 0,
    repaired: { at: '2026-11-20T03:00:00.000Z', sums: 7 },
  });
});

test('jobs that failed for good are counted, and run again on request', async () => {
  const staff = await app.createStaff();
  const { pool } = app.services.db;
  await pool.query(`select enqueue_job('retention.sweep', '{}', null, null, 1, null, null)`);
  const { default: pg } = await import('pg');
  const database = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await database.connect();
  await database.query(
    `update graphile_worker._private_jobs j set attempts = max_attempts, last_error = 'refused'
      from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'retention.sweep'`,
  );
  await database.end();
  const status = async () =>
    (
      await app.as(staff).request(contract.getSystemStatus, { headers: asAdmin })
    ).body.data.jobs.find((j) => j.job === 'retention.sweep');
  expect(await status()).toMatchObject({ failed: 1, waiting: 0, last_error: 'refused' });
  const retried = await app
    .as(staff)
    .request(contract.retryFailedJobs, { body: { job: 'retention.sweep' }, headers: asAdmin });
  expect(retried.body.data.retried).toBe(1);
  expect(await status()).toMatchObject({ failed: 0, waiting: 1 });
});
