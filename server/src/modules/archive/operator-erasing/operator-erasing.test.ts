import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import {
  accessTokens,
  contacts,
  conversations,
  erasing,
  favorites,
  companies,
  type CompanyRole,
} from '#contract';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { eraseAccount, holdAccount } from './erase-account.ts';
import { eraseNumber } from './erase-number.ts';
import { namesBesideIds, whatStaysOfAccounts } from './traces.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
afterAll(() => app.stopJobs());
const { services } = app;
const db = services.db.unscoped;

/** Every column of text, JSON or lists in which one of these words stands. */
async function placesOf(words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and format_type(a.atttypid, null) in ('text', 'jsonb', 'json', 'text[]', 'tsvector',
        'character varying')
      and has_table_privilege(c.oid, 'select') order by 1, 2`.execute(db);
  const places: string[] = [];
  for (const { table, column } of rows) {
    const { rows: found } = await sql<{ is: boolean }>`select exists (select from
      ${sql.table(table)} where lower(${sql.ref(column)}::text) like
      any(${words.map((word) => `%${word}%`)}::text[])) as is`.execute(db);
    if (found[0]!.is) places.push(`${table}.${column}`);
  }
  return places;
}

/** IDs of the people whom the company lists. */
const members = async (who: TestPerson): Promise<number[]> => {
  const answer = await app
    .as(who)
    .request(companies.listCompanyUsers, { params: { companyId: who.companyId } });
  return answer.body.data.map(({ id }) => id);
};

/** A member called Zenobia Quillfeather, with an address of her name. */
async function zenobia(companyId: number, role: CompanyRole): Promise<TestPerson> {
  const person = await app.createPerson(companyId, role);
  const email = `zenobia.${person.id}@quillfeather.test`;
  await sql`update person set first_name = 'Zenobia', last_name = 'Quillfeather',
    email = ${email} where id = ${person.id}`.execute(db);
  return { ...person, email };
}

test('an erased account is nowhere but where the list says, in none of its companies, and its work stays', async () => {
  const { company, owner } = await app.createCompany();
  const second = await app.createCompany();
  const number = await inbox.number(company.id);
  const her = await zenobia(company.id, 'administrator');
  await sql`insert into membership (company_id, user_id, role)
    values (${second.company.id}, ${her.id}, 'user')`.execute(db);
  const as = app.as(her);
  const phone = uniquePhone();
  await inbox.text(phone, number.number, 'Hello');
  await app.drainJobs();
  const [talk] = (await inbox.asked(owner, {})).body.data;
  const note = await as.request(conversations.addNote, {
    body: {
      ...{ company_id: company.id, model_type: 'conversation', model_id: talk!.id },
      body: 'Called back',
    },
  });
  expect(note.status, JSON.stringify(note.body)).toBe(201);
  const favorite = await as.request(favorites.createFavoriteReport, {
    body: { company_id: company.id, name: 'Mine', value: { path: '/analytics/calls' } },
  });
  expect(favorite.status).toBe(201);
  const key = await as.request(accessTokens.createPersonalAccessToken, {
    body: { company_id: company.id, name: 'Sheet', scopes: ['read'] },
  });
  expect(key.status).toBe(201);
  await sql`insert into legal_hold (company_id, number, reason, held_by, held_by_name, held_at)
    values (${company.id}, ${phone}, 'Case 26-1182', ${her.id}, 'Zenobia Quillfeather',
      ${app.clock.value})`.execute(db);
  // A call that she answered, as the call, its history and the inbox keep it.
  const answered = { id: her.id, type: 'app', label: 'Zenobia Quillfeather', number: null };
  const { rows: made } = await sql<{ id: number }>`insert into call (company_id, number_id, carrier,
      outbound, from_number, to_number, party, status, outcome, started_at, ended_at, answered_by,
      answered_user_id)
    values (${company.id}, ${number.id}, 'sandbox', false, ${phone}, ${number.number}, ${phone}, 12,
      1, ${app.clock.value}, ${app.clock.value}, ${JSON.stringify(answered)}::jsonb, ${her.id})
    returning id`.execute(db);
  await sql`insert into call_history (company_id, call_id, kind, at, label, target)
    values (${company.id}, ${made[0]!.id}, 'history', ${app.clock.value}, 'Answered',
      'Zenobia Quillfeather')`.execute(db);
  const details = JSON.stringify({ callId: made[0]!.id, answeredBy: 'Zenobia Quillfeather' });
  await sql`update conversation_item set details = ${details}::jsonb
    where company_id = ${company.id}`.execute(db);
  await sql`update conversation set latest_details = ${details}::jsonb
    where company_id = ${company.id}`.execute(db);
  await sql`update number set voicemail_emails = ${[her.email.toUpperCase(), 'front@desk.test']}
    where id = ${number.id}`.execute(db);
  await app.drainJobs();
  const words = ['quillfeather'];
  expect(await placesOf(words)).toEqual(
    expect.arrayContaining([
      ...['person.email', 'note.user_name', 'number.voicemail_emails', 'call.answered_by'],
      ...['call_history.target', 'conversation_item.details', 'conversation.latest_details'],
    ]),
  );

  expect(await eraseAccount(services, her.email.toUpperCase())).toMatchObject({
    companies: [{ id: company.id }, { id: second.company.id }].toSorted((a, b) => a.id - b.id),
  });
  await app.drainJobs();
  const stays = new Set(whatStaysOfAccounts.flatMap(({ places }) => places));
  expect((await placesOf(words)).filter((one) => !stays.has(one))).toEqual([]);
  const { rows: lists } = await sql<{ to: string[] }>`select voicemail_emails as "to" from number
    where id = ${number.id}`.execute(db);
  expect(lists[0]!.to).toEqual(['front@desk.test']);

  // Neither her session nor her key opens anything, and the companies don't list her.
  expect(
    (await as.request(favorites.listFavoriteReports, { query: { company_id: company.id } })).status,
  ).toBe(401);
  const bearer = await app.server.inject({
    method: 'GET',
    url: `/api/favorite-reports?company_id=${company.id}`,
    headers: { authorization: `Bearer ${key.body.data.plain_text_token}` },
  });
  expect(bearer.statusCode).toBe(401);
  for (const who of [owner, second.owner]) {
    expect(await members(who)).not.toContain(her.id);
    const { rows } = await sql<{ action: string }>`select action from audit_log
      where company_id = ${who.companyId} and subject = ${`user:${her.id}`} order by id`.execute(
      db,
    );
    expect(rows.map(({ action }) => action)).toEqual(['user.erased', 'user.removed']);
  }
  // What she did stays, without her name.
  const { rows: kept } = await sql<{ name: string; body: string }>`select user_name as name, body
    from note where company_id = ${company.id}`.execute(db);
  expect(kept).toEqual([{ name: 'Erased user', body: 'Called back' }]);
  await expect(eraseAccount(services, her.email)).rejects.toThrow('No account has the address');
});

test('an account that is held, owns a company or is staff is refused, and nothing changes', async () => {
  const { company, owner } = await app.createCompany();
  const her = await zenobia(company.id, 'user');
  await holdAccount(services, her.email, 'Case 26-1190');
  await expect(eraseAccount(services, her.email)).rejects.toThrow('Case 26-1190');
  await expect(holdAccount(services, her.email, ' ')).rejects.toThrow('Enter a reason');
  await expect(holdAccount(services, 'no@one.test', null)).rejects.toThrow('No account');
  await expect(eraseAccount(services, owner.email)).rejects.toThrow('Transfer the ownership first');
  const staff = await app.createStaff();
  await expect(eraseAccount(services, staff.email)).rejects.toThrow('platform staff');
  const { rows } = await sql<{ n: number }>`select count(*)::int n from membership
    where company_id = ${company.id}`.execute(db);
  expect(rows[0]!.n).toBe(2);
  await holdAccount(services, her.email, null);
  await eraseAccount(services, her.email);
  const person = await sql<{ email: string }>`select email from person
    where id = ${her.id}`.execute(db);
  expect(person.rows[0]!.email).toBe(`erased-${her.id}@account.invalid`);
});

test('every column that holds a person’s name beside their ID is on the list', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped and a.attnum > 0
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname ~ '(user|actor|owner|_by)_name$'
      and exists (select from pg_attribute i where i.attrelid = c.oid and not i.attisdropped
        and i.attname in (regexp_replace(a.attname, '_name$', ''),
          regexp_replace(a.attname, '_name$', '_id')))
    order by 1, 2`.execute(db);
  const listed = new Set([
    ...namesBesideIds.map(([table, name]) => `${table}.${name}`),
    ...whatStaysOfAccounts.flatMap(({ places }) => places),
  ]);
  expect(
    rows.map(({ table, column }) => `${table}.${column}`).filter((one) => !listed.has(one)),
  ).toEqual([]);
  expect(rows.length).toBeGreaterThan(15);
});

test('a number is erased in each company that knows it; one that holds it keeps it', async () => {
  const phone = uniquePhone();
  const [first, second, third] = [
    await app.createCompany(),
    await app.createCompany(),
    await app.createCompany(),
  ];
  const add = async ({ owner, company }: typeof first) =>
    (
      await app.as(owner).request(contacts.createContact, {
        query: { company_id: company.id },
        body: { number: phone, name: 'Barnaby Foss' },
      })
    ).body.data.id;
  const ids = [await add(first), await add(second), await add(third)];
  await app.as(second.owner).request(erasing.holdPerson, {
    params: { contactId: ids[1]! },
    body: { reason: 'Case 26-1191' },
  });
  const there = async () => {
    const { rows } = await sql<{ company_id: number }>`select company_id from contact
      where number = ${phone} order by company_id`.execute(db);
    return rows.map((row) => row.company_id);
  };
  const typed = `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`;
  const all = [first, second, third].map(({ company }) => company.id);
  const seen = await eraseNumber(services, typed, { companyId: null, isDryRun: true });
  expect(seen.map(({ companyId }) => companyId)).toEqual(all);
  expect(await there()).toEqual(all);
  await eraseNumber(services, phone, { companyId: third.company.id, isDryRun: false });
  expect(await there()).toEqual([first.company.id, second.company.id]);
  const done = await eraseNumber(services, phone, { companyId: null, isDryRun: false });
  expect(done.map(({ refused }) => refused)).toEqual([null, 'Under legal hold: Case 26-1191']);
  expect(await there()).toEqual([second.company.id]);
  await app.drainJobs();
  expect(await there()).toEqual([second.company.id]);
  await expect(eraseNumber(services, 'abc', { companyId: null, isDryRun: true })).rejects.toThrow(
    'not a phone number',
  );
  await expect(
    eraseNumber(services, uniquePhone(), { companyId: null, isDryRun: true }),
  ).rejects.toThrow('No contact');
});
