import type { TestApp } from './test-app.ts';

/** A finished archive of the company with its file, as its job leaves them. Returns its ID. */
export const createArchiveFixture = (
  app: TestApp,
  companyId: number,
  ownerId: number,
): Promise<string> =>
  app.services.db.systemTransaction(async (tx) => {
    const now = app.clock.value;
    const until = new Date(now.getTime() + 86_400_000);
    const name = 'company.zip';
    const bytes = Buffer.from('PK');
    const stored = await app.services.files.save(
      tx,
      companyId,
      {
        ...{ name, contentType: 'application/zip', bytes, purpose: 'archive', deleteAfter: until },
        guard: { userId: ownerId, grants: [['company.export', 'all']], numbers: null },
      },
      now,
    );
    const file = { fileId: stored.id, name, bytes: bytes.length, rows: 1, until };
    const { id } = await tx
      .insertInto('batch')
      .values({
        company_id: companyId,
        kind: 'export-archive',
        input: '{}',
        total: 1,
        processed: 1,
        result: JSON.stringify([file]),
        created_by: ownerId,
        created_at: now,
        finished_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
