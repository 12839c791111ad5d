import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callAnalytics, favorites, organizations, reportLinks as contract } from '#contract';
import { callAnalyticsLimits } from '#contract/analytics/call-analytics/rules';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { pool } = app.services.db;
const at = (time: string): void => {
  app.clock.value = new Date(time);
};
at('2027-03-15T16:00:00Z');
const codeOf = ({ body }: { body: unknown }) => (body as { code: string }).code;
const closed = { status: 404, code: 'report_link.closed' };
const outcomeOf = (answer: { status: number; body: unknown }) => ({
  status: answer.status,
  code: codeOf(answer),
});

const favorite = async (who: TestPerson, filters: object, more: object = {}) =>
  (
    await app.as(who).request(favorites.createFavoriteReport, {
      body: {
        company_id: who.companyId,
        name: `Report ${JSON.stringify(filters)}`.slice(0, 80),
        value: { path: '/analytics/calls', filters },
        ...more,
      },
    })
  ).body.data.id;
const share = (who: TestPerson, favorite_id: number, last_day = '2027-04-14') =>
  app.as(who).request(contract.createReportLink, {
    body: { company_id: who.companyId, favorite_id, last_day },
  });
const tokenOf = (made: Awaited<ReturnType<typeof share>>): string => {
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data.link.split('#')[1]!;
};
const open = (token: string) => app.as(null).request(contract.openReportLink, { body: { token } });
const list = async (who: TestPerson) =>
  (await app.as(who).request(contract.listReportLinks, { query: { company_id: who.companyId } }))
    .body.data;
const withdraw = (who: TestPerson, id: number) =>
  app.as(who).request(contract.withdrawReportLink, { params: { id } });

/** A company in New York with two numbers and calls of this and the last thirty days. */
async function aCompany() {
  const { company, owner } = await app.createCompany();
  await pool.query(`update company set timezone = 'America/New_York' where id = $1`, [company.id]);
  const [front, back] = [await inbox.number(company.id), await inbox.number(company.id)];
  const call = (number: typeof front, time: string, n: number) =>
    app.services.db.systemTransaction((tx) =>
      sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party,
          status, outcome, started_at, ended_at)
        select ${company.id}, ${number.id}, 'sandbox', false, '+12125550147', ${number.number},
          '+12125550147', 12, case when i % 4 = 0 then 2 else 1 end, ${time}::timestamptz,
          ${time}::timestamptz from generate_series(1, ${n}::int) i`.execute(tx),
    );
  await call(front, '2027-03-10T15:00:00Z', 8);
  await call(back, '2027-03-11T15:00:00Z', 4);
  await call(back, '2027-02-01T15:00:00Z', 5);
  return { company, owner, front, back };
}

test('a link opens the figures of the screen without an account, and nothing that leads further', async () => {
  const { company, owner, front } = await aCompany();
  const id = await favorite(owner, { group: 'number' });
  const made = await share(owner, id);
  const token = tokenOf(made);
  expect(made.body.data).toMatchObject({
    favorite: { id },
    mine: true,
    // April 14 ends at midnight in New York.
    expires_at: '2027-04-15T04:00:00.000Z',
    last_opened_at: null,
  });
  const opened = await open(token);
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const { data } = opened.body;
  expect(data).toMatchObject({
    company: { name: company.name },
    range: { start: '2027-02-14', end: '2027-03-15' },
    compared: { start: '2027-01-15', end: '2027-02-13' },
    tz: 'America/New_York',
    filters: ['Incoming calls'],
    totals: { calls: 12, answered: 9 },
    before: { calls: 5 },
  });
  const screen = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: {
      ...{ company_id: company.id, group: 'number', tz: 'America/New_York' },
      ...{ start: '2027-02-14', end: '2027-03-15' },
    },
  });
  expect(data.rows.map(({ label, figures }) => ({ label, figures }))).toEqual(
    screen.body.data.map(({ label, figures }) => ({ label, figures })),
  );
  expect(data.rows.map(({ key }) => key)).toEqual(['0', '1']);
  expect(JSON.stringify(data)).not.toContain(`"${front.id}"`);
  expect(opened.headers['cache-control']).toBe('no-store');
  expect(opened.headers['x-robots-tag']).toBe('noindex');
  expect(opened.headers['referrer-policy']).toBe('no-referrer');
  expect((await list(owner))[0]!.last_opened_at).toMatch(/^2027-03-15T16:00:0/);
  // Only the hash is kept, and the link isn’t told again.
  const { rows } = await pool.query<{ whole: string }>(
    'select l::text whole from report_link l where company_id = $1',
    [company.id],
  );
  expect(rows[0]!.whole).not.toContain(token);
  expect(JSON.stringify(await list(owner))).not.toContain(token);
  const log = await pool.query<{ action: string; whole: string }>(
    'select action, a::text whole from audit_log a where company_id = $1 and subject = $2',
    [company.id, `report_link:${made.body.data.id}`],
  );
  expect(log.rows.map(({ action }) => action)).toEqual(['report_link.created']);
  expect(log.rows[0]!.whole).not.toContain(token);
});

test('a withdrawn, expired, guessed or deleted link is answered the same', async () => {
  const { company, owner } = await aCompany();
  const id = await favorite(owner, { group: 'day' });
  const guessed = `tlr_${'a'.repeat(43)}`;
  expect(outcomeOf(await open(guessed))).toEqual(closed);
  const withdrawn = await share(owner, id);
  expect((await withdraw(owner, withdrawn.body.data.id)).status).toBe(204);
  expect(outcomeOf(await open(tokenOf(withdrawn)))).toEqual(closed);
  expect((await withdraw(owner, withdrawn.body.data.id)).status).toBe(404);
  const short = tokenOf(await share(owner, id, '2027-03-15'));
  at('2027-03-16T03:59:59Z');
  expect((await open(short)).status).toBe(200);
  at('2027-03-16T04:00:00Z');
  const expired = await open(short);
  expect(outcomeOf(expired)).toEqual(closed);
  expect(expired.body).toEqual({ ...(await open(guessed)).body, ...requestOf(expired.body) });
  at('2027-03-15T16:00:00Z');
  const ofDeleted = tokenOf(await share(owner, id));
  const ofSuspended = tokenOf(await share(owner, await favorite(owner, { group: 'hour' })));
  await app.as(owner).request(favorites.deleteFavoriteReport, { params: { id } });
  expect(outcomeOf(await open(ofDeleted))).toEqual(closed);
  await pool.query('update company set status = 1 where id = $1', [company.id]);
  expect(outcomeOf(await open(ofSuspended))).toEqual(closed);
});
/** What is different in each error. */
const requestOf = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([key]) => /request|instance|trace/.test(key)));

test('a link shows what its maker may see when it is opened, and ends with their right', async () => {
  const { company, owner, front, back } = await aCompany();
  const manager = await app.createPerson(company.id, 'administrator');
  const token = tokenOf(await share(manager, await favorite(manager, { group: 'number' })));
  const named = tokenOf(
    await share(manager, await favorite(manager, { number: String(front.id) })),
  );
  expect((await open(token)).body.data.totals.calls).toBe(12);
  expect((await open(named)).body.data.filters).toHaveLength(2);
  const become = (role: string, numbers: number[]) =>
    pool.query(
      'update membership set role = $3, number_ids = $4 where company_id = $1 and user_id = $2',
      [company.id, manager.id, role, numbers],
    );
  await become('reporting', [back.id]);
  const limited = (await open(token)).body.data;
  expect(limited.totals.calls).toBe(4);
  expect(limited.rows).toHaveLength(1);
  const hidden = (await open(named)).body.data;
  expect(hidden.totals.calls).toBe(0);
  expect(hidden.filters).toEqual(['Incoming calls', 'One number']);
  expect((await list(owner)).map((link) => link.closed)).toEqual([null, null]);
  await become('billing', []);
  expect(outcomeOf(await open(token))).toEqual(closed);
  expect((await list(owner)).map((link) => link.closed)).toEqual(['maker', 'maker']);
  // It works again with the right, and ends for good with their place in the company.
  await become('administrator', []);
  expect((await open(token)).status).toBe(200);
  await pool.query('delete from membership where company_id = $1 and user_id = $2', [
    company.id,
    manager.id,
  ]);
  expect(outcomeOf(await open(token))).toEqual(closed);
  // Who edits settings still sees it, why it doesn’t open, and closes it.
  const [first] = await list(owner);
  expect(first).toMatchObject({ mine: false, closed: 'maker' });
  expect((await withdraw(owner, first!.id)).status).toBe(204);
});

test('a report of more days than are counted at once is not shared, and its link is closed like others', async () => {
  const { owner } = await aCompany();
  const days = (from: string, to: string) => ({ group: 'month', period: 'custom', from, to });
  const [longest, tooLong] = [days('2025-03-15', '2027-03-15'), days('2025-03-14', '2027-03-15')];
  const refused = await share(owner, await favorite(owner, tooLong));
  expect([refused.status, refused.body]).toMatchObject([
    422,
    { errors: { favorite_id: [expect.stringContaining('more than two years')] } },
  ]);
  const id = await favorite(owner, longest);
  const token = tokenOf(await share(owner, id));
  expect((await open(token)).status).toBe(200);
  // Its favorite is changed while the link is out.
  const become = (value: object) =>
    app.as(owner).request(favorites.updateFavoriteReport, { params: { id }, body: { value } });
  await become({ path: '/analytics/calls', filters: tooLong });
  expect(outcomeOf(await open(token))).toEqual(closed);
  expect((await list(owner))[0]).toMatchObject({ closed: 'too_long' });
  await become({ path: '/inbox', filters: {} });
  expect(outcomeOf(await open(token))).toEqual(closed);
  expect((await list(owner))[0]).toMatchObject({ closed: 'not_a_report' });
  await become({ path: '/analytics/calls', filters: longest });
  expect((await list(owner))[0]).toMatchObject({ closed: null });
  at('2027-05-01T16:00:00Z');
  expect((await list(owner))[0]).toMatchObject({ closed: 'expired' });
  at('2027-03-15T16:00:00Z');
});

test('a report that has become too much is closed to strangers, and its maker is told why until it opens', async () => {
  const { company, owner } = await aCompany();
  const { id: unit } = (
    await app.as(owner).request(organizations.createOrganization, {
      body: { name: 'Shops', companyIds: [company.id] },
    })
  ).body.data;
  const token = tokenOf(
    await share(
      owner,
      await favorite(owner, {
        group: 'source',
        model: 'first_touch',
        period: 'month',
        organization: String(unit),
      }),
    ),
  );
  expect((await open(token)).status).toBe(200);
  // A model looks at each company by itself, and not at so many.
  await app.services.db.systemTransaction((tx) =>
    sql`with made as (
        insert into company (name, slug, timezone, organization_id, created_at)
        select 'Shop ' || n, 'refused-shop-' || n, 'UTC', ${unit}, now()
        from generate_series(1, ${callAnalyticsLimits.oneByOne}::int) n returning id)
      insert into membership (company_id, user_id, role)
      select id, ${owner.id}, 'administrator' from made`.execute(tx),
  );
  for (let n = 0; n < 2; n++) {
    expect(outcomeOf(await open(token))).toEqual(closed);
    expect((await list(owner))[0]).toMatchObject({ closed: 'too_many' });
  }
  await pool.query(`update company set organization_id = null where slug like 'refused-shop-%'`);
  expect((await open(token)).status).toBe(200);
  expect((await list(owner))[0]).toMatchObject({ closed: null });
});

test('a link shows no contact details, whoever made it', async () => {
  const { company, owner } = await aCompany();
  await pool.query('update call set source = $2 where company_id = $1', [
    company.id,
    { key: 'x', campaign: 'Call +13475550188 or dana@example.com' },
  ]);
  const token = tokenOf(await share(owner, await favorite(owner, { group: 'campaign' })));
  const { rows } = (await open(token)).body.data;
  expect(JSON.stringify(rows)).not.toMatch(/5550188|dana@/);
  expect(rows[0]!.label).toContain('•••');
});

test('links are made of one’s own call reports, by who may export, for at most a year, and not too many', async () => {
  const { company, owner } = await aCompany();
  const id = await favorite(owner, { group: 'day' });
  const other = await aCompany();
  expect((await share(other.owner, id)).status).toBe(404);
  const billing = await app.createPerson(company.id, 'billing');
  expect(codeOf(await share(billing, id))).toBe('role.forbidden');
  const manager = await app.createPerson(company.id, 'administrator');
  expect((await share(manager, id)).status).toBe(404);
  const shared = await favorite(owner, { group: 'week' }, { shared: true });
  expect(codeOf(await share(manager, shared))).toBe('favorite.not_yours');
  const elsewhere = await favorite(owner, {}, { name: 'Inbox', value: { path: '/inbox' } });
  expect((await share(owner, elsewhere)).status).toBe(422);
  for (const day of ['2027-03-14', '2028-03-16', '2027-04-31', '2027-99-99', 'soon'])
    expect((await share(owner, id, day)).status, day).toBe(422);
  const made = (await share(owner, id, '2028-03-15')).body.data;
  for (let n = 1; n < 20; n++) expect((await share(owner, id)).status).toBe(201);
  expect(codeOf(await share(owner, id))).toBe('report_link.too_many');
  // A stranger to the company, and a colleague who doesn’t edit settings, see and close none of it.
  const colleague = await app.createPerson(company.id, 'reporting');
  expect(await list(colleague)).toEqual([]);
  expect((await withdraw(colleague, made.id)).status).toBe(404);
  expect((await withdraw(other.owner, made.id)).status).toBe(404);
  expect((await list(owner)).map((link) => link.id)).toContain(made.id);
});

test('what asks for too many links is slowed down', async () => {
  const guess = () => open(`tlr_${'b'.repeat(43)}`);
  let last = await guess();
  for (let n = 0; n < 200 && last.status !== 429; n++) last = await guess();
  expect(last.status).toBe(429);
});
