import { createHash } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { accessTokens, adminMode, companyImports as contract, endpoints } from '#contract';
import type { CompanyImport } from '#contract/archive/company-imports/schemas';
import { archiveOf } from '../../../../test/support/archives.ts';
import { createFixtures } from '../../../../test/support/fixtures.ts';
import { multipartForm } from '../../../../test/support/samples.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { entriesOf } from '../../../../test/support/zip-entries.ts';
import { systemCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { rememberErased } from '../erasing/store-erased.ts';
import { importArchive } from '../reading/import-archive.ts';
import { MANIFEST, type Manifest } from '../manifest.ts';
import { tidyCompanyImports } from './jobs.ts';
import { runCompanyImport } from './run-company-import.ts';

const fixtures = await createFixtures();
const { a } = fixtures;
await fixtures.app.services.db.pool.query('update person set disabled_at = now() where id = $1', [
  a.otherUser.id,
]);
const archive = await archiveOf(fixtures.app, a.id);
const here = await createTestApp({ env: { UPLOAD_MB: '1', ARCHIVE_MB: '20' } });
const staff = await here.createStaff();
const headers = { isadmin: '1' };
const { pool } = here.services.db;
const asStaff = here.as(staff);

type Answered = { status: number; body: { data: CompanyImport; code?: string } };
const create = (bytes: number, name = 'a.zip', who = staff) =>
  here.as(who).request(contract.createCompanyImport, { headers, body: { name, bytes } });
const part = (id: number, offset: number, bytes: Buffer, who = staff): Promise<Answered> => {
  const file = { field: 'part', name: 'part', type: 'application/octet-stream', bytes };
  const { payload, headers: form } = multipartForm({ offset: String(offset) }, file);
  const url = `/api/admin/company-imports/${id}/parts`;
  return here.as(who).inject({ method: 'POST', url, payload, headers: { ...headers, ...form } });
};
const at = (id: number) => ({ headers, params: { id } });
const get = async (id: number) =>
  (await asStaff.request(contract.getCompanyImport, at(id))).body.data;
const start = (id: number) => asStaff.request(contract.startCompanyImport, at(id));
const again = (id: number) => asStaff.request(contract.checkCompanyImport, at(id));
const discard = (id: number) => asStaff.request(contract.deleteCompanyImport, at(id));
const confirmStaff = () =>
  pool.query('update session set confirmed_at = $2 where person_id = $1', [
    staff.id,
    here.clock.value,
  ]);
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string } | null)?.code;

/** Uploads a file as the screen does, part by part, and waits until it was checked. */
async function uploaded(bytes: Buffer): Promise<CompanyImport> {
  let { data } = (await create(bytes.length)).body;
  while (data.received_bytes < bytes.length) {
    const { received_bytes: done, part_bytes: most } = data;
    const answer = await part(data.id, done, bytes.subarray(done, done + most));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    ({ data } = answer.body);
  }
  expect(data.state).toBe('queued');
  await here.drainJobs();
  return get(data.id);
}
/** Everything an import could leave: rows, and files in the storage. */
async function leftHere(): Promise<object> {
  const { rows } = await pool.query(`select (select count(*)::int from company) as companies,
    (select count(*)::int from person) as people, (select count(*)::int from file) as files,
    (select count(*)::int from number_directory) as numbers`);
  return rows[0];
}
const stored = async (): Promise<string[]> => {
  const files = join(here.services.settings.dataDir, 'files');
  const found = await readdir(files, { recursive: true, withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isFile() && entry.parentPath.includes('company-imports'))
    .map(({ name }) => name);
};
beforeEach(async () => {
  await pool.query('delete from company_import');
  const parts = join(here.services.settings.dataDir, 'files', 'company-imports');
  await rm(parts, { recursive: true, force: true });
});

test('only staff in admin mode with changes allowed reach any of it', async () => {
  const { owner } = await here.createCompany();
  const outside = await here.createStaff('outside');
  const reading = await here.createStaff('reads');
  const key = await here.as(owner).request(accessTokens.createPersonalAccessToken, {
    body: { company_id: owner.companyId, name: 'Key', scopes: ['read'] },
  });
  const { data } = (await create(archive.length)).body;
  const doors = endpoints.filter(({ path }) => path.startsWith('/admin/company-imports'));
  expect(doors).toHaveLength(7);
  const ask = (who: TestPerson | null, door: (typeof doors)[number], more: object = headers) =>
    here.as(who).inject({
      method: door.method,
      url: `/api${door.path.replace('{id}', String(data.id))}`,
      headers: more as Record<string, string>,
      ...(door.method === 'POST' && { payload: { name: 'a.zip', bytes: 9, offset: 0 } }),
    });
  for (const door of doors) {
    expect((await ask(null, door)).status, door.name).toBe(401);
    for (const who of [owner, outside]) expect((await ask(who, door)).status, door.name).toBe(403);
    // The same staff member without the header is nobody of the platform.
    expect((await ask(staff, door, {})).status, door.name).toBe(403);
    const isRead = door.method === 'GET';
    expect((await ask(reading, door)).status, door.name).toBe(isRead ? 200 : 403);
    if (!isRead) expect(codeOf(await ask(reading, door))).toBe('admin.read_only');
    const token = key.body.data.plain_text_token;
    expect((await ask({ ...owner, token }, door)).status, door.name).toBe(403);
  }
  expect((await part(data.id, 0, archive.subarray(0, 9), owner)).status).toBe(403);
  expect(await get(data.id)).toMatchObject({ state: 'uploading', received_bytes: 0 });
});

test('an import must be confirmed, and is kept from a remote login', async () => {
  const found = await uploaded(archive);
  await here.unconfirm(staff);
  expect(codeOf(await start(found.id))).toBe('confirmation.required');
  expect((await get(found.id)).state).toBe('ready');
  await confirmStaff();
  const { owner, company } = await here.createCompany();
  const login = await asStaff.request(adminMode.createRemoteLogin, {
    headers,
    body: { user_id: owner.id, company_id: company.id, reason: 'Ticket 12' },
  });
  const { body } = await here
    .as(null)
    .request(adminMode.remoteLogin, { body: { token: login.body.data.token } });
  const remote = { ...owner, token: body.token.access_token };
  const asked = await here.as(remote).request(contract.startCompanyImport, at(found.id));
  expect(asked.status).toBeGreaterThanOrEqual(401);
  expect((await get(found.id)).state).toBe('ready');
});

test('parts arrive in order; one that is sent twice changes nothing, one from elsewhere is refused', async () => {
  const { data } = (await create(archive.length)).body;
  expect(data).toMatchObject({ state: 'uploading', received_bytes: 0, part_bytes: 1024 ** 2 });
  const first = archive.subarray(0, 1000);
  expect((await part(data.id, 0, first)).body.data.received_bytes).toBe(1000);
  expect((await part(data.id, 0, first)).body.data.received_bytes).toBe(1000);
  expect(codeOf(await part(data.id, 2000, first))).toBe('company_import.part');
  expect((await part(data.id, 1000, Buffer.alloc(0))).status).toBe(422);
  const both = await Promise.all(
    [1, 2].map(() => part(data.id, 1000, archive.subarray(1000, 2000))),
  );
  expect(both.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
  expect(await get(data.id)).toMatchObject({ state: 'uploading', received_bytes: 2000 });
  expect(await stored()).toHaveLength(2);
  const { body } = await asStaff.request(contract.createCompanyImport, {
    headers,
    body: { name: 'b.zip', bytes: 5 },
  });
  expect(codeOf({ body })).toBe('company_import.busy');
  expect((await discard(data.id)).status).toBe(204);
  expect(await stored()).toEqual([]);
});

test('what is no archive or too large is refused before it is kept', async () => {
  const large = await create(21 * 1024 ** 2);
  expect(codeOf(large)).toBe('company_import.too_large');
  expect(JSON.stringify(large.body)).toContain('up to 20 MB');
  const { data } = (await create(30)).body;
  const text = await part(data.id, 0, Buffer.from('id,name\n1,Dana Reed\n2,Bo Field'));
  expect(codeOf(text)).toBe('company_import.not_archive');
  expect((await asStaff.request(contract.getCompanyImport, at(data.id))).status).toBe(404);
  expect(await stored()).toEqual([]);
});

test('a hostile archive is refused with its reason, and nothing is changed', async () => {
  const before = await leftHere();
  const rows = archive.toString('latin1');
  const hostile: [Buffer, RegExp][] = [
    [
      Buffer.from(rows.replaceAll('tables/contact.jsonl', 'tables/../../ab.json'), 'latin1'),
      /damaged/,
    ],
    [Buffer.concat([archive.subarray(0, archive.length - 3000)]), /its end is missing/],
  ];
  for (const [bytes, reason] of hostile) {
    const found = await uploaded(bytes);
    expect(found).toMatchObject({ state: 'refused', report: null, has_file: true });
    expect(found.reasons).toEqual([expect.stringMatching(reason)]);
    expect(codeOf(await start(found.id))).toBe('company_import.not_ready');
    await discard(found.id);
  }
  expect(await leftHere()).toEqual(before);
});

test('all that is in the way is named at once; the archive is checked again when it is gone', async () => {
  const { company } = await here.createCompany('Somebody else');
  const [owner, user] = [a.people.owner, a.people.user];
  const { rows: added } = await pool.query(
    `insert into person (email) values ($1), ($2) returning id`,
    [owner.email, user.email],
  );
  await pool.query('update company set slug = (select $2) where id = $1', [
    company.id,
    (await fixtures.app.services.db.pool.query('select slug from company where id = $1', [a.id]))
      .rows[0].slug,
  ]);
  const found = await uploaded(archive);
  expect(found).toMatchObject({ state: 'refused' });
  expect(found.reasons).toHaveLength(3);
  expect(found.reasons.join()).toContain(owner.email);
  expect(found.reasons.join()).toContain(user.email);
  expect(found.reasons[0]).toContain('has the same short name here');
  await pool.query('delete from person where id = any ($1)', [added.map(({ id }) => id)]);
  await pool.query(`update company set slug = 'somebody-else-now' where id = $1`, [company.id]);
  expect((await again(found.id)).body.data).toMatchObject({ state: 'queued', reasons: [] });
  await here.drainJobs();
  expect(await get(found.id)).toMatchObject({ state: 'ready', reasons: [] });
});

test('while one is checked or imported, no other begins, and an import can’t be discarded', async () => {
  const found = await uploaded(archive);
  await here.stopJobs();
  expect((await start(found.id)).body.data).toMatchObject({ state: 'importing', progress: 0 });
  expect(codeOf(await start(found.id))).toBe('company_import.not_ready');
  expect(codeOf(await discard(found.id))).toBe('company_import.running');
  expect(codeOf(await create(100))).toBe('company_import.busy');
  await pool.query(`insert into company_import (name, bytes, part_bytes, received, parts, state,
      created_by, created_by_name, created_at, moved_at)
    values ('b.zip', 9, 9, 9, '[{"key": "b", "bytes": 9}]', 'ready', 1, 'Sam', now(), now())`);
  const { rows } = await pool.query(`select id from company_import where name = 'b.zip'`);
  const other = Number(rows[0].id);
  expect(codeOf(await start(other))).toBe('company_import.busy');
  expect(codeOf(await again(other))).toBe('company_import.busy');
  await pool.query(`update company_import set state = 'ready' where id = $1`, [found.id]);
  // Two at the same moment: one begins.
  const both = await Promise.all([start(found.id), start(other)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  await pool.query('delete from company_import');
  await here.drainJobs();
});

test('an error is tried again; after the last attempt it says what to do, and nothing is changed', async () => {
  const before = await leftHere();
  const found = await uploaded(archive);
  await here.stopJobs();
  await start(found.id);
  // The bytes are gone, as after a restore on another machine.
  const { rows } = await pool.query<{ parts: { key: string }[] }>(
    'select parts from company_import where id = $1',
    [found.id],
  );
  for (const { key } of rows[0]!.parts) await here.services.files.blobs.remove(key);
  const ctx = systemCtx(here.services, 0, { markDirty: () => {}, notify: () => {} });
  const run = (last: boolean) =>
    runCompanyImport(ctx, { importId: found.id, dryRun: false }, { last });
  await expect(run(false)).rejects.toMatchObject({ code: 'file.not_here' });
  expect((await get(found.id)).state).toBe('importing');
  await run(true);
  expect(await get(found.id)).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('upload the archive again'),
  });
  expect(await leftHere()).toEqual(before);
  expect((await discard(found.id)).status).toBe(204);
  await here.drainJobs();
});

test('uploads are deleted after seven days, abandoned ones sooner, and a job that died is ended', async () => {
  const ctx = () => systemCtx(here.services, 0, { markDirty: () => {}, notify: () => {} });
  const { data } = (await create(archive.length)).body;
  await part(data.id, 0, archive.subarray(0, 1000));
  here.clock.advance(9 * 60);
  await tidyCompanyImports(ctx());
  expect((await get(data.id)).received_bytes).toBe(1000);
  here.clock.advance(2 * 60);
  await tidyCompanyImports(ctx());
  expect((await asStaff.request(contract.getCompanyImport, at(data.id))).status).toBe(404);
  expect(await stored()).toEqual([]);

  const found = await uploaded(archive);
  expect((await stored()).length).toBeGreaterThan(0);
  here.clock.advance(6.9 * 86_400);
  await tidyCompanyImports(ctx());
  expect(await get(found.id)).toMatchObject({ state: 'ready', has_file: true });
  here.clock.advance(0.2 * 86_400);
  await tidyCompanyImports(ctx());
  expect(await get(found.id)).toMatchObject({ has_file: false, delete_at: null });
  expect(await stored()).toEqual([]);
  await confirmStaff();
  for (const ask of [start, again]) expect(codeOf(await ask(found.id))).toBe('company_import.gone');

  await pool.query(
    `update company_import set state = 'importing', moved_at = $2::timestamptz - interval '7 hours 1 minute' where id = $1`,
    [found.id, here.clock.value],
  );
  await tidyCompanyImports(ctx());
  expect(await get(found.id)).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('Nothing was changed'),
  });
});

test('who was erased here after the archive was written does not come back, and the report says so', async () => {
  const theirs = fixtures.app.services.db.pool;
  const { rows: parties } = await theirs.query<{ party: string }>(
    `select distinct party from conversation where company_id = $1 and party in
      (select party from call where company_id = $1) order by 1 limit 1`,
    [a.id],
  );
  const { party } = parties[0]!;
  const manifest = JSON.parse((await entriesOf(archive)).get(MANIFEST)!.toString()) as Manifest;
  const written = Date.parse(manifest.created_at);
  const remember = (companyId: number, at = new Date(written + 60_000)) =>
    here.services.db.systemTransaction((tx) =>
      rememberErased(tx, here.services.settings.appSecret, {
        ...{ companyId, numbers: [party] },
        at,
      }),
    );
  // Erased in another company: nothing to this one.
  await remember(a.id + 1);
  const before = await uploaded(archive);
  expect(before.report).toMatchObject({ erased_numbers: 0 });
  await discard(before.id);
  // Erased, and called again before the archive was written.
  await remember(a.id, new Date(written - 60_000));
  const earlier = await uploaded(archive);
  expect(earlier.report).toMatchObject({ erased_numbers: 0 });
  await discard(earlier.id);
  await remember(a.id);
  const { rows: kept } = await pool.query('select hash from erased_number');
  expect(JSON.stringify(kept)).not.toContain(party.slice(-7));
  const found = await uploaded(archive);
  expect(found.report).toMatchObject({ erased_numbers: 1 });
  // Nothing is left of them at the end of the transaction, which this one undoes.
  const path = join(here.services.settings.dataDir, 'archive.zip');
  await writeFile(path, archive);
  const left: object[] = [];
  const look = async (tx: Tx) => {
    const { rows } = await sql<object>`select
      (select count(*)::int from conversation where company_id = ${a.id} and party = ${party}) as conversations,
      (select count(*)::int from call where company_id = ${a.id} and party = ${party}) as calls,
      (select count(*)::int from contact where company_id = ${a.id} and number = ${party}) as contacts,
      (select count(*) > 0 from call where company_id = ${a.id}) as others`.execute(tx);
    left.push(...rows);
    throw new Error('undo');
  };
  const options = { dryRun: false, onImported: look };
  await expect(importArchive(here.services, path, options)).rejects.toThrow('undo');
  expect(left).toEqual([{ conversations: 0, calls: 0, contacts: 0, others: true }]);
  await pool.query('delete from erased_number');
});

test('an account that was erased here stays erased: out of the company, without its name; an owner’s is refused', async () => {
  const { id, email } = a.people.user;
  const gone = `erased-${id}@account.invalid`;
  await pool.query(
    `insert into person (id, email, first_name, last_name, disabled_at)
     values ($1, $2, 'Erased', 'user', now())`,
    [id, gone],
  );
  // They came back with another account, whose address in other companies is theirs.
  const again = await here.createCompany('Come back');
  await pool.query('update person set email = $2 where id = $1', [again.owner.id, email]);
  await pool.query(
    `insert into invitation (company_id, email, role, company_ids, token_hash, expires_at, sent_at,
       invited_by) values ($1, $2, 'user', '{}', 'x', now(), now(), $3)`,
    [again.company.id, email, again.owner.id],
  );
  const found = await uploaded(archive);
  expect(found).toMatchObject({ state: 'ready', report: { erased_accounts: 1 } });
  const path = join(here.services.settings.dataDir, 'archive.zip');
  await writeFile(path, archive);
  const left: object[] = [];
  const look = async (tx: Tx) => {
    const { rows } = await sql<object>`select
      (select count(*)::int from membership where company_id = ${a.id} and user_id = ${id}) as places,
      (select count(*)::int from membership where company_id = ${a.id}) > 1 as others,
      (select count(*)::int from note where company_id = ${a.id} and user_id = ${id}
        and user_name <> 'Erased user') as named,
      (select count(*)::int from audit_log where company_id = ${a.id} and action = 'user.removed'
        and subject = ${`user:${id}`}) as told,
      (select email from person where id = ${id}) as email,
      (select count(*)::int from invitation where email = ${email}) as "theirOther"`.execute(tx);
    left.push(...rows);
    throw new Error('undo');
  };
  await expect(
    importArchive(here.services, path, { dryRun: false, onImported: look }),
  ).rejects.toThrow('undo');
  expect(left).toEqual([
    { places: 0, others: true, named: 0, told: 1, email: gone, theirOther: 1 },
  ]);
  await pool.query('delete from person where id = $1', [id]);
  await pool.query('update person set email = $2 where id = $1', [
    again.owner.id,
    again.owner.email,
  ]);

  const { id: ownerId } = a.people.owner;
  await pool.query('insert into person (id, email) values ($1, $2)', [
    ownerId,
    `erased-${ownerId}@account.invalid`,
  ]);
  const refusedOwner = await uploaded(archive);
  expect(refusedOwner.state).toBe('refused');
  expect(refusedOwner.reasons.join()).toContain('account of the company’s owner was erased here');
  await pool.query('delete from person where id = $1', [ownerId]);
});

test('a whole way: uploaded, checked, imported; counts are equal, and the log names the staff member', async () => {
  const before = await leftHere();
  const checked = await uploaded(archive);
  expect(checked.state, checked.reasons.join()).toBe('ready');
  expect(await leftHere()).toEqual(before);
  const { report } = checked;
  expect(report).toMatchObject({
    company: { id: a.id },
    sha256: createHash('sha256').update(archive).digest('hex'),
    disabled_people: 1,
    known_people: 0,
  });
  const manifest = JSON.parse((await entriesOf(archive)).get(MANIFEST)!.toString()) as Manifest;
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  expect(report!.counts.reduce((sum, one) => sum + one.rows, 0)).toBe(rows);
  const countOf = (kind: string) => report!.counts.find((one) => one.kind === kind)?.rows;
  expect(countOf('contacts')).toBe(manifest.tables['contact']!.rows);
  expect(countOf('messages')).toBe(manifest.tables['conversation_item']!.rows);

  expect((await start(checked.id)).body.data.state).toBe('importing');
  await here.drainJobs();
  const done = await get(checked.id);
  expect(done, done.failure ?? done.reasons.join()).toMatchObject({
    ...{ state: 'done', progress: 100, has_file: false },
    imported_by: { id: staff.id },
    report: { ...report, waiting: report!.waiting },
  });
  expect(await stored()).toEqual([]);

  const again = JSON.parse(
    (await entriesOf(await archiveOf(here, a.id))).get(MANIFEST)!.toString(),
  ) as Manifest;
  const counts = ({ tables }: Manifest) =>
    Object.fromEntries(
      Object.entries(tables).flatMap(([name, table]) =>
        name === 'audit_log' || name === 'person' ? [] : [[name, table.rows]],
      ),
    );
  expect(counts(again)).toEqual(counts(manifest));
  const { rows: logged } = await pool.query(
    `select actor_id, actor_kind, via_user_id, reason from audit_log
      where company_id = $1 and action = 'archive.imported'`,
    [a.id],
  );
  expect(logged).toEqual([
    {
      ...{ actor_id: staff.id, actor_kind: 'platform', via_user_id: staff.id },
      reason: 'Test of admin mode',
    },
  ]);
  const { rows: off } = await pool.query(
    'select id from person where disabled_at is not null order by id',
  );
  expect(off.map(({ id }) => Number(id))).toEqual([a.otherUser.id]);
  expect(codeOf(await discard(done.id))).toBe('company_import.kept');
  // It is here now, so the same archive is refused.
  expect((await uploaded(archive)).reasons).toEqual([expect.stringContaining('is here already')]);
});
