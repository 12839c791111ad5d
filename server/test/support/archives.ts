import { buffer } from 'node:stream/consumers';
import { archivedTables } from '../../src/modules/archive/store-archive.ts';
import { writeArchive } from '../../src/modules/archive/write-archive.ts';
import { schemaVersion } from '../../src/platform/migrate.ts';
import type { TestApp } from './test-app.ts';

/** Writes a company's archive as its job does, and returns its bytes. */
export async function archiveOf(app: TestApp, companyId: number): Promise<Buffer> {
  const { db, files } = app.services;
  return db.snapshot({ companyId }, async (tx) => {
    const company = await tx
      .selectFrom('company')
      .select(['id', 'name', 'slug'])
      .where('id', '=', companyId)
      .executeTakeFirstOrThrow();
    const tables = await archivedTables(tx);
    const source = { tx, directory: db.unscoped, files, company, tables, now: app.clock.value };
    const chunks = writeArchive({
      ...source,
      schema: await schemaVersion(),
      onRows: async () => {},
    });
    return buffer(chunks);
  });
}
