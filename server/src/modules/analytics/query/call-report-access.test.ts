import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { callAnalytics as contract, dataGroups, exporting, organizations } from '#contract';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { figuresOf, isAskedFor, type OwnedCall } from '../../../../test/support/expected-calls.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const tz = 'America/New_York';
const range = { start: '2026-10-20', end: '2026-11-12', tz };
const [one, two, stranger] = [
  await companyWithCalls(app, 3),
  await companyWithCalls(app, 4),
  await companyWithCalls(app, 5),
];
const made = await app.as(one.owner).request(organizations.createOrganization, {
  body: { name: 'Clinics', companyIds: [one.company.id] },
});
const unit = made.body.data.id;
await app.services.db.unscoped
  .updateTable('company')
  .set({ organization_id: unit })
  .where('id', '=', two.company.id)
  .execute();

const request = (who: TestPerson, query: Record<string, unknown>) =>
  app
    .as(who)
    .request(contract.analyzeCalls, { query: { company_id: who.companyId, ...range, ...query } });
async function ask(who: TestPerson, query: Record<string, unknown> = {}) {
  const answer = await request(who, query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const asked = { ...range, group: 'day', target: 'calls' };
const expected = (calls: readonly OwnedCall[]) =>
  figuresOf(calls.filter((call) => isAskedFor(call, asked)));

describe('who sees what', () => {
  test('companies and business units are those one can see, each with its own callers', async () => {
    const both = [...one.calls, ...two.calls];
    const ids = [one.company.id, two.company.id];
    const byCompany = await ask(one.owner, { group: 'company', company_ids: ids });
    expect(byCompany.totals).toEqual(expected(both));
    expect(new Set(byCompany.data.map(({ key }) => key))).toEqual(new Set(ids.map(String)));
    const byUnit = await ask(one.owner, { group: 'business_unit', business_unit_ids: [unit] });
    expect(byUnit.data).toHaveLength(1);
    expect(byUnit.data[0]).toMatchObject({
      key: String(unit),
      label: 'Clinics',
      figures: expected(both),
    });
    for (const company_ids of [[stranger.company.id], [one.company.id, stranger.company.id]]) {
      const refused = await request(one.owner, { company_ids });
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        errors: { company_ids: ['Choose companies from the list.'] },
      });
    }
    // Of an organization that isn't theirs there is nothing, and of theirs only their companies.
    expect((await ask(stranger.owner, { business_unit_ids: [unit] })).totals.calls).toBe(0);
    const own = await ask(two.owner, { business_unit_ids: [unit] });
    expect(own.totals).toEqual(expected(two.calls));
  });

  test('people limited to numbers count only theirs, whatever they ask for', async () => {
    const [first = 0] = one.numbers;
    const limited = await app.createPerson(one.company.id, 'reporting', [first]);
    const own = expected(one.calls.filter(({ number_id }) => number_id === first));
    for (const query of [{}, { number_ids: one.numbers }, { company_ids: [one.company.id] }])
      expect((await ask(limited, query)).totals).toEqual(own);
    const byNumber = await ask(limited, { group: 'number' });
    expect(byNumber.data.map(({ key }) => key)).toEqual([String(first)]);
  });

  test('numbers that are hidden from someone are masked in names and keys', async () => {
    const { company, owner } = one;
    await app.services.db.systemTransaction((tx) =>
      sql`update company set settings = settings || '{"mask_contact_details_for_users": true}'
        where id = ${company.id}`.execute(tx),
    );
    const user = await app.createPerson(company.id, 'user');
    const shown = JSON.stringify((await ask(owner, { group: 'forward' })).data);
    const masked = JSON.stringify((await ask(user, { group: 'forward' })).data);
    expect(shown).toContain('+14155550172');
    expect(masked).toContain('Reception');
    expect(masked.replaceAll(/\D/g, '')).not.toContain('4155550172');
  });

  test('data groups limit what is counted', async () => {
    const [tag = 0] = one.tags;
    const group = await app.as(one.owner).request(dataGroups.createDataGroup, {
      body: { company_id: one.company.id, name: 'Hot calls', entities: [{ type: 'tag', id: tag }] },
    });
    expect(group.status, JSON.stringify(group.body)).toBe(201);
    const filter = { data_group_ids: [group.body.data.id] };
    const tagged = one.calls.filter(({ tags }) => tags.includes(tag));
    expect((await ask(one.owner, filter)).totals).toEqual(expected(tagged));
    expect((await ask(stranger.owner, filter)).totals.calls).toBe(0);
  });
});

test.each([
  [{ group: 'colour' }, 'group'],
  [{ target: 'happiness' }, 'target'],
  [{ series: 'number' }, 'series'],
  [{ tz: '+05:00' }, 'tz'],
  [{ start: '2026-11-12', end: '2026-11-01' }, 'end'],
  [{ start: '2020-01-01' }, 'end'],
  [{ answer_status: ['ignored'] }, 'answer_status.0'],
  [{ columns: ['secrets'] }, 'columns.0'],
])('%j is refused by name', async (query, field) => {
  const { status, body } = await request(one.owner, query);
  expect(status).toBe(422);
  expect(Object.keys((body as unknown as { errors: object }).errors)).toEqual([field]);
});

test('a filter that doesn’t exist is refused by name', async () => {
  const { status, body } = await request(one.owner, { colour: 'red' });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain('colour');
});

test('the same question has the same hash, another one another', async () => {
  const hash = async (query: Record<string, unknown>) =>
    (await ask(one.owner, query)).meta.filter_hash;
  const first = await hash({ departments: ['sales', 'parts'], qualified: true });
  expect(await hash({ qualified: 1, departments: ['parts', 'sales'] })).toBe(first);
  expect(await hash({ qualified: false, departments: ['parts', 'sales'] })).not.toBe(first);
});

/** Asks for a file, lets its job run and reads it. */
async function fileOf(who: TestPerson, query: Record<string, unknown>) {
  const { meta } = await ask(who, { ...query, format: 'csv', async: 1 });
  await app.drainJobs();
  const done = await app.as(who).request(exporting.exportProgress, {
    params: { batchId: String(meta['batchId']) },
    query: { companyId: who.companyId },
  });
  const file = await app.server.inject({
    method: 'GET',
    url: String(done.body.data.resultUrl),
    headers: { authorization: `Bearer ${who.token}` },
  });
  expect(file.statusCode).toBe(200);
  return { text: file.body, table: parse(file.body, { bom: true }) as string[][] };
}

describe('files', () => {
  test('have every row, the days from Sunday and the durations, and the answer’s checksum', async () => {
    const answer = await ask(one.owner, { group: 'number' });
    const { table } = await fileOf(one.owner, { group: 'number' });
    const [titles = [], ...rows] = table;
    expect(titles.slice(16)).toEqual([
      ...['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
      ...['Over 30 s', 'Over 90 s', 'Over 120 s', 'Over 300 s'],
    ]);
    const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell}"` : cell);
    const lines = table.map((row) => `${row.slice(0, 16).map(quoted).join(',')}\r\n`).join('');
    expect(createHash('sha256').update(lines).digest('hex')).toBe(answer.meta.checksum);
    for (const row of rows) {
      const own = one.calls.filter(
        (call) => String(call.number_id) === row[0] && isAskedFor(call, asked),
      );
      const days = row.slice(16, 23).map(Number);
      expect(days.reduce((sum, n) => sum + n, 0)).toBe(own.length);
      expect(Number(row[2])).toBe(own.length);
      expect(row.slice(23).map(Number)).toEqual(
        [30, 90, 120, 300].map((over) => own.filter(({ talk }) => talk > over).length),
      );
    }
  });

  test('have the columns that are chosen, and only the numbers that who asked can see', async () => {
    const [first = 0] = one.numbers;
    const limited = await app.createPerson(one.company.id, 'reporting', [first]);
    const { text } = await fileOf(limited, { group: 'outcome', columns: ['label', 'calls'] });
    const own = one.calls.filter((call) => call.number_id === first && isAskedFor(call, asked));
    const [titles, ...rows] = parse(text, { bom: true }) as string[][];
    expect(titles).toEqual(['Name', 'Calls']);
    expect(rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(own.length);
  });

  test('need the permission, in each company that they are of', async () => {
    const both = { company_ids: [one.company.id, two.company.id], format: 'csv' };
    expect((await request(two.owner, both)).status).toBe(422);
    await app.services.db.systemTransaction((tx) =>
      sql`update company set settings = settings || '{"users_can_export": false}'
        where id = ${two.company.id}`.execute(tx),
    );
    const user = await app.createPerson(two.company.id, 'user');
    expect((await request(user, { format: 'csv' })).status).toBe(403);
    expect((await request(user, {})).status).toBe(200);
  });
});
