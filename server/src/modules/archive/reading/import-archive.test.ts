import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { createFixtures } from '../../../../test/support/fixtures.ts';
import { createTestApp, type TestApp } from '../../../../test/support/test-app.ts';
import { entriesOf } from '../../../../test/support/zip-entries.ts';
import { schemaVersion } from '../../../platform/migrate.ts';
import { MANIFEST, tablePath, type Manifest } from '../manifest.ts';
import { archivedTables } from '../store-archive.ts';
import { writeArchive } from '../write-archive.ts';
import { importArchive } from './import-archive.ts';

const fixtures = await createFixtures();
const there = fixtures.app;
const here = await createTestApp();
const folder = mkdtempSync(join(tmpdir(), 'trunkline-archives-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a company's archive as its job does, and returns its bytes. */
async function archiveOf(app: TestApp, companyId: number): Promise<Buffer> {
  const { db, files } = app.services;
  return db.snapshot({ companyId }, async (tx) => {
    const company = await tx
      .selectFrom('company')
      .select(['id', 'name', 'slug'])
      .where('id', '=', companyId)
      .executeTakeFirstOrThrow();
    const tables = await archivedTables(tx);
    const source = { tx, directory: db.unscoped, files, company, tables, now: app.clock.value };
    const chunks = writeArchive({ ...source, schema: await schemaVersion(), onRows: async () => {} });
    return buffer(chunks);
  });
}
const manifestOf = (entries: Map<string, Buffer>) =>
  JSON.parse(entries.get(MANIFEST)!.toString()) as Manifest;
let written = 0;
const store = async (bytes: Buffer): Promise<string> => {
  const path = join(folder, `${++written}.zip`);
  await writeFile(path, bytes);
  return path;
};
const { a, b } = fixtures;
const original = await archiveOf(there, a.id);
const entries = await entriesOf(original);
const path = await store(original);

test('a', async () => {
  const result = await importArchive(here.services, path, { dryRun: true });
  console.log(result);
});
