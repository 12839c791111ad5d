import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { contacts, identity } from '#contract';
import { createFixtures } from '../../../../test/support/fixtures.ts';
import { archiveOf } from '../../../../test/support/archives.ts';
import { createTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { entriesOf } from '../../../../test/support/zip-entries.ts';
import { MANIFEST, tablePath, type Manifest } from '../manifest.ts';
import { importArchive } from './import-archive.ts';

const fixtures = await createFixtures();
const there = fixtures.app;
const here = await createTestApp();
const folder = mkdtempSync(join(tmpdir(), 'trunkline-archives-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifestOf = (entries: Map<string, Buffer>) =>
  JSON.parse(entries.get(MANIFEST)!.toString()) as Manifest;
let written = 0;
const store = async (bytes: Buffer): Promise<string> => {
  const path = join(folder, `${++written}.zip`);
  await writeFile(path, bytes);
  return path;
};
const { a, b } = fixtures;
// A page view of a day that a new installation has no part for.
await there.services.db.pool.query(
  `select make_tracking_hit_day((now() - interval '40 days')::date)`,
);
await there.services.db.pool.query(
  `insert into tracking_hit (company_id, visit_id, at, pool_id, kind)
    values ($1, 1, now() - interval '40 days', 1, 'pageview')`,
  [a.id],
);
// Somebody's account was disabled: not in the company, but everywhere.
const gone = a.otherUser;
await there.services.db.pool.query('update person set disabled_at = now() where id = $1', [
  gone.id,
]);
const overdue = new Date(Date.now() - 3_600_000).toISOString();
// One conversation is snoozed, and a second scheduled text should have gone out an hour ago.
await there.services.db.pool.query(
  `update conversation set archived_at = now(), snoozed_until = now() + interval '1 day'
    where company_id = $1 and id = (select min(id) from conversation where company_id = $1)`,
  [a.id],
);
await there.services.db.pool.query(
  `insert into conversation_item select (jsonb_populate_record(i, jsonb_build_object('id', next_id(),
      'details', i.details || jsonb_build_object('sendAt', $2::text)))).* from conversation_item i
    where company_id = $1 and kind = 'scheduledmessage' and details ->> 'state' = 'pending' limit 1`,
  [a.id, overdue],
);
const original = await archiveOf(there, a.id);
const entries = await entriesOf(original);
const path = await store(original);

let imported: Awaited<ReturnType<typeof importArchive>>;

/** Everything an import could leave: rows of the company, people, and files on the disk. */
async function leftHere(): Promise<object> {
  const { db, settings } = here.services;
  const { rows } = await db.pool.query<{ companies: string; people: string }>(
    `select (select count(*) from company) as companies, (select count(*) from person) as people`,
  );
  const found = await readdir(settings.dataDir, { recursive: true, withFileTypes: true });
  const names = found.filter((e) => e.isFile()).map((e) => `${e.parentPath}/${e.name}`);
  return { ...rows[0], blobs: names.filter((name) => name.includes(String(a.id))) };
}
/** A ZIP file of these entries. */
async function zipOf(of: Map<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of of) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}
/** The archive with other entries; their lengths and hashes in the manifest are right. */
async function changed(
  other: Record<string, string | null>,
  change: (manifest: Manifest) => void = () => {},
): Promise<Buffer> {
  const next = new Map(entries);
  const manifest = manifestOf(entries);
  for (const [name, text] of Object.entries(other)) {
    if (text === null) {
      next.delete(name);
      delete manifest.entries[name];
      continue;
    }
    const bytes = Buffer.from(text);
    next.set(name, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    manifest.entries[name] = { bytes: bytes.length, sha256 };
    const table = /^tables\/(\w+)\.jsonl$/.exec(name)?.[1];
    if (table && manifest.tables[table]) manifest.tables[table].rows = text.split('\n').length - 1;
  }
  change(manifest);
  next.set(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  return zipOf(next);
}
const textOf = (table: string): string => entries.get(tablePath(table))!.toString();
const contact = tablePath('contact');
const rows = textOf('contact');
const misspelled = () =>
  zipOf(new Map(entries).set(contact, Buffer.from(rows.replace('Dana Reed', 'Dina Reed'))));
/** Named as it is found, with another name of the same length in the bytes. */
const renamed = (from: string, to: string) =>
  Buffer.from(original.toString('latin1').replaceAll(from, to), 'latin1');

const refused: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
  ['no ZIP file', () => Buffer.from('id,name\n1,Dana\n'), /no archive, or its end is missing/],
  ['cut off', () => original.subarray(0, original.length - 3000), /its end is missing/],
  ['no manifest', () => zipOf(new Map([['a.txt', Buffer.from('a')]])), /no manifest\.json/],
  [
    'older format',
    () => changed({}, (m) => void ((m.format as string) = 'trunkline-archive-1')),
    /format trunkline-archive-1.*create the archive again/,
  ],
  [
    'another version',
    () => changed({}, (m) => void (m.schema = '12-abc')),
    /Update both installations/,
  ],
  ['wrong hash', misspelled, /tables\/contact\.jsonl is not as it was written/],
  [
    'path outside',
    () => renamed('tables/contact.jsonl', 'tables/../../ab.json'),
    /table of contents is damaged/,
  ],
  ['entry missing', () => changed({ [contact]: null }), /lacks the table contact/],
  [
    'entry not named',
    () => changed({}, (m) => void delete m.entries['spreadsheets/calls.csv']),
    /manifest doesn’t name: spreadsheets\/calls\.csv/,
  ],
  [
    'bomb',
    () => changed({ 'spreadsheets/calls.csv': '0'.repeat(30 * 1024 ** 2) }),
    /far larger when unpacked/,
  ],
  [
    'row of another company',
    () => changed({ [contact]: rows.replaceAll(`"company_id": ${a.id}`, `"company_id": ${b.id}`) }),
    /contact has a row of another company/,
  ],
  [
    'unknown table',
    () =>
      changed(
        { 'tables/session.jsonl': '{}\n' },
        (m) => void (m.tables['session'] = { rows: 1, columns: ['id'] }),
      ),
    /doesn’t know: session/,
  ],
  [
    'unknown column',
    () => changed({ [contact]: rows.replaceAll('"company_id"', '"is_staff": true, "company_id"') }),
    /contact has other columns than the table/,
  ],
  [
    'staff',
    () =>
      changed({
        [tablePath('person')]: textOf('person').replaceAll('"email"', '"is_staff": true, "email"'),
      }),
    /person has other columns/,
  ],
  [
    'wrong type',
    () => changed({ [contact]: rows.replaceAll(/"created_at": "[^"]+"/g, '"created_at": "soon"') }),
    /table contact doesn’t fit/,
  ],
  ['no JSON', () => changed({ [contact]: 'x\n' }), /table contact doesn’t fit/],
  ['no object', () => changed({ [contact]: '7\n' }), /contact has other columns/],
  ['half a row', () => changed({ [contact]: rows.slice(0, -20) }), /ends in the middle of a row/],
  [
    'rows missing',
    () =>
      changed(
        { [contact]: rows.slice(rows.indexOf('\n') + 1) },
        (m) => void (m.tables['contact']!.rows += 1),
      ),
    /contact has \d+ rows, but its manifest says/,
  ],
  [
    'row twice',
    () => changed({ [contact]: rows + rows }),
    /row of the table contact exists here already/,
  ],
  [
    'file exchanged',
    () => changed({ [[...entries.keys()].find((name) => name.startsWith('files/'))!]: 'other' }),
    /isn’t the file that its row describes/,
  ],
  ['strange file', () => changed({ 'files/7': 'other' }), /files\/7 is no file of the company/],
  ['row named by nothing', () => changed({ [tablePath('number')]: '' }), /doesn’t fit/],
];
test.each(refused)(
  '%s: refused with a sentence, and nothing is left',
  async (_, make, sentence) => {
    const before = await leftHere();
    const path = await store(await make());
    await expect(importArchive(here.services, path, { dryRun: false })).rejects.toMatchObject({
      name: 'ArchiveRefusal',
      message: expect.stringMatching(sentence),
    });
    expect(await leftHere()).toEqual(before);
  },
);

test('people and numbers that somebody else has here are refused by name', async () => {
  const before = await leftHere();
  const { email } = a.people.owner;
  const { db } = here.services;
  const { rows: added } = await db.pool.query(
    `insert into person (email) values ($1) returning id`,
    [email.toUpperCase()],
  );
  await expect(importArchive(here.services, path, { dryRun: true })).rejects.toThrow(
    `${email} has an account here that isn’t the one of the archive. Change the email of that account first`,
  );
  await db.pool.query('delete from person where id = $1', [added[0].id]);
  const { company } = await here.createCompany('Somebody else');
  const [{ number }] = textOf('number_directory')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  await db.pool.query('insert into number_directory values ($1, $2, 1)', [number, company.id]);
  await expect(importArchive(here.services, path, { dryRun: true })).rejects.toThrow(
    `${number} belongs to another company here`,
  );
  await db.pool.query('delete from number_directory where number = $1', [number]);
  expect(await leftHere()).toMatchObject({ blobs: (before as { blobs: string[] }).blobs });
});

test('rows that name someone of this installation who isn’t in the archive are refused', async () => {
  const { pool } = here.services.db;
  const { id } = a.people.user;
  const others = textOf('person')
    .split('\n')
    .filter((line) => !line.includes(`"id": ${id},`));
  const path = await store(await changed({ [tablePath('person')]: others.join('\n') }));
  await pool.query(`insert into person (id, email) values ($1, 'stranger@else.test')`, [id]);
  await expect(importArchive(here.services, path, { dryRun: false })).rejects.toThrow(
    'rows name other people than its table person',
  );
  const { rowCount } = await pool.query('select from membership where user_id = $1', [id]);
  expect(rowCount).toBe(0);
  await pool.query('delete from person where id = $1', [id]);
});

test('a dry run checks everything and changes nothing; the import brings the same tables, files and IDs', async () => {
  const before = await leftHere();
  const steps: number[] = [];
  const dry = await importArchive(here.services, path, {
    dryRun: true,
    onProgress: (done, total) => steps.push(done / total),
  });
  expect(await leftHere()).toEqual(before);
  expect(steps.at(-1)).toBe(1);
  // Somebody who has the account of the archive gets into the company with it.
  const { owner } = a.people;
  await here.services.db.pool.query(
    `insert into person (id, email, first_name) values ($1, $2, 'Known')`,
    [owner.id, owner.email],
  );
  const made = await importArchive(here.services, path, { dryRun: false });
  imported = made;
  expect(made).toEqual({ ...dry, newPeople: dry.newPeople - 1, knownPeople: 1 });

  const again = manifestOf(await entriesOf(await archiveOf(here, a.id)));
  const first = manifestOf(entries);
  const own = [tablePath('audit_log'), tablePath('person')];
  const isCompared = (name: string) => !own.includes(name) && !name.startsWith('spreadsheets/');
  const others = (of: Manifest) =>
    Object.fromEntries(Object.entries(of.entries).filter(([name]) => isCompared(name)));
  expect(others(again)).toEqual(others(first));
  expect(
    Object.keys(first.entries).filter((name) => name.startsWith('files/')).length,
  ).toBeGreaterThan(5);
  expect(again.tables['audit_log']!.rows).toBe(first.tables['audit_log']!.rows + 1);
  expect(again.tables['person']!.rows).toBe(first.tables['person']!.rows);
  const { rows: strangers } = await here.services.db.pool.query(
    'select from company where id = $1',
    [b.id],
  );
  expect(strangers).toEqual([]);

  await expect(importArchive(here.services, path, { dryRun: true })).rejects.toThrow(
    'is here already',
  );
});

test('what waits for a time waits here: scheduled texts and snoozed conversations, not what is overdue', async () => {
  const waits = async (app: TestApp): Promise<string[]> => {
    const client = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
    await client.connect();
    const { rows: jobs } = await client.query<{ key: string }>(
      `select key from graphile_worker._private_jobs where key like 'scheduled:' || $1 || ':%'
        or key like 'wake:' || $1 || ':%' order by key`,
      [a.id],
    );
    await client.end();
    return jobs.map(({ key }) => key);
  };
  const [scheduled, ...woken] = await waits(here);
  expect(scheduled).toBe((await waits(there)).find((key) => key.startsWith('scheduled:')));
  expect(woken).toEqual([expect.stringMatching(/^wake:/)]);
  expect(imported.waiting).toMatchObject({ scheduled: 1, overdue: 1 });
});

test('the company works here: contacts are counted, calls are found, and people get in', async () => {
  const { db } = here.services;
  await here.drainJobs();
  const count = async (app: TestApp, table: string) =>
    (
      await app.services.db.pool.query(
        `select count(*)::int n from ${table} where company_id = $1`,
        [a.id],
      )
    ).rows[0].n;
  expect(await count(here, 'call_search_text')).toBe(await count(there, 'call_search_text'));
  expect(await count(here, 'call_search_text')).toBeGreaterThan(0);
  const groups = async (app: TestApp) =>
    (
      await app.services.db.pool.query(
        `select group_id, sum(contacts)::int n from contact_group_count where company_id = $1 group by 1 having sum(contacts) <> 0 order by 1`,
        [a.id],
      )
    ).rows;
  expect(await groups(here)).toEqual(await groups(there));
  const { rows } = await db.pool.query(
    `select password_hash, sip_user, is_staff from person where id = $1`,
    [a.people.user.id],
  );
  expect(rows).toEqual([
    { password_hash: null, sip_user: `u${a.people.user.id}`, is_staff: false },
  ]);

  // Who was disabled stays it, and gets no link.
  expect(imported.disabledPeople).toBe(1);
  const { rows: stays } = await db.pool.query(
    'select disabled_at is not null as off from person where id = $1',
    [gone.id],
  );
  expect(stays).toEqual([{ off: true }]);
  await here.as(null).request(identity.forgotPassword, { body: { email: gone.email } });
  await here.drainJobs();
  expect(await here.mails(gone.email)).toEqual([]);

  // By a link to a new password, as the command says.
  const { email } = a.people.administrator;
  const password = 'a whole new sentence';
  await here.as(null).request(identity.forgotPassword, { body: { email } });
  await here.drainJobs();
  const [mail] = await here.mails(email);
  const token = /reset-password\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  const reset = await here.as(null).request(identity.resetPassword, { body: { token, password } });
  expect(reset.status).toBe(200);
  const signedIn = await here.as(null).inject({
    ...{ method: 'POST', url: '/api/sanctum/login', payload: { email, password } },
  });
  expect(signedIn.status).toBe(200);
  const person = { ...a.people.administrator, token: signedIn.body.token.access_token };
  const list = await here.as(person).request(contacts.listContacts, {
    query: { companyId: a.id },
  });
  const known = await there
    .as(a.people.administrator)
    .request(contacts.listContacts, { query: { companyId: a.id } });
  // A field of the organization isn't here, so its values aren't shown.
  const shown = ({ data }: { data: object[] }) =>
    data.map((one) => ({ ...one, eavAttributeValues: null }));
  expect(shown(list.body)).toEqual(shown(known.body));
  expect(list.body.data.length).toBeGreaterThan(1);
});
