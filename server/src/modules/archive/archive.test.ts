import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { archive as contract, audit, contacts } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { entriesOf } from '../../../test/support/zip-entries.ts';
import { manifestSchema, MANIFEST } from './manifest.ts';
import { archivedTables } from './store-archive.ts';
import { leftOutTables } from './tables.ts';

const app = await createTestApp();
const start = (who: TestPerson, password = 'trunkline-demo') =>
  app.as(who).request(contract.startArchive, {
    params: { companyId: who.companyId },
    body: { password },
  });
const list = async (who: TestPerson) =>
  (await app.as(who).request(contract.listArchives, { params: { companyId: who.companyId } })).body
    .data;

test('an archive holds the company’s rows and files, with their hashes, and no secret', async () => {
  const { company, owner } = await app.createCompany('Harbor Dental');
  const { owner: other } = await app.createCompany('Somebody else');
  for (const [who, name] of [
    [owner, '=Dana Reed'],
    [other, 'Foreign'],
  ] as const)
    await app.as(who).request(contacts.createContact, {
      body: { companyId: who.companyId, name, number: '+12125550123' },
    });
  expect((await start(owner)).status).toBe(202);
  await app.drainJobs();
  const [made] = await list(owner);
  expect(made).toMatchObject({ state: 'ready', progress: 100 });
  const { rawPayload } = await app.server.inject({
    method: 'GET',
    url: made!.url!,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const entries = await entriesOf(rawPayload);
  const manifest = manifestSchema.parse(JSON.parse(entries.get(MANIFEST)!.toString()));
  expect(manifest.company).toMatchObject({ id: company.id, name: 'Harbor Dental' });
  // Every entry is named with its length and hash, and every table with its rows.
  expect(Object.keys(manifest.entries).sort()).toEqual(
    [...entries.keys()].filter((name) => name !== MANIFEST).sort(),
  );
  for (const [path, { bytes, sha256 }] of Object.entries(manifest.entries)) {
    const content = entries.get(path)!;
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
      bytes,
      sha256,
    ]);
  }
  for (const [name, { rows }] of Object.entries(manifest.tables))
    expect(entries.get(`tables/${name}.jsonl`)!.toString().split('\n').length - 1).toBe(rows);
  expect(manifest.tables['contact']!.rows).toBe(1);
  expect(entries.get('tables/contact.jsonl')!.toString()).toContain('Dana Reed');
  expect(entries.get('spreadsheets/contacts.csv')!.toString()).toContain("'=Dana Reed");
  const everything = Buffer.concat([...entries.values()]).toString();
  for (const secret of ['Foreign', 'argon2', 'password_hash', 'sip_password', '"support_pin"'])
    expect(everything.replaceAll(/"membership\.support_pin"/g, '')).not.toContain(secret);
  expect(manifest.left_out.columns).toHaveProperty(['company.support_pin']);
  const log = await app.as(owner).request(audit.listAuditLog, {
    params: { companyId: company.id },
  });
  expect(log.body.data.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['archive.begun', 'archive.finished']),
  );
});

test('it needs the password again, runs once at a time, and its link is the requester’s alone', async () => {
  const { company, owner } = await app.createCompany();
  const admin = await app.createPerson(company.id, 'administrator');
  const user = await app.createPerson(company.id, 'user');
  expect((await start(owner, 'wrong')).status).toBe(422);
  expect((await start(user)).status).toBe(403);
  expect(await list(owner)).toEqual([]);
  await app.stopJobs();
  expect((await start(owner)).status).toBe(202);
  expect((await start(admin)).body).toMatchObject({ code: 'archive.running' });
  await app.drainJobs();
  expect((await list(owner))[0]!.url).not.toBeNull();
  expect((await list(admin))[0]).toMatchObject({ state: 'ready', url: null });
});

test('every table with company_id is archived, or listed with a reason', async () => {
  const { company } = await app.createCompany();
  const tables = await app.services.db.snapshot({ companyId: company.id }, (tx) =>
    archivedTables(tx),
  );
  const { rows } = await sql<{ name: string; readable: boolean }>`select c.relname as name,
      has_table_privilege('trunkline_app', c.oid, 'select') as readable
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
      and c.relname <> 'number_directory'`.execute(app.services.db.unscoped);
  const names = new Set(tables.map(({ name }) => name));
  expect(rows.filter(({ name }) => !names.has(name) && !leftOutTables[name])).toEqual([]);
  expect(rows.filter(({ name, readable }) => names.has(name) && !readable)).toEqual([]);
  const existing = new Set(rows.map(({ name }) => name));
  expect(Object.keys(leftOutTables).filter((name) => !existing.has(name))).toEqual([]);
});
