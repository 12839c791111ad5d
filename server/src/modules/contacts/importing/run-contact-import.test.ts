import { expect, test } from 'vitest';
import { importing as contract } from '#contract';
import { importHelpers } from '../../../../test/support/contact-imports.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { systemCtx, type Ctx } from '../../../platform/context.ts';
import { runContactImport } from './run-contact-import.ts';
import { stepRows } from './staging-file.ts';
import { startContactImport } from './start-contact-import.ts';

const app = await createTestApp();
const { inCompany, upload, get, listAll, importFile, readCsv } = importHelpers(app);

test('a failed import reports the specification’s sentence to its user, and the file can be imported again', async () => {
  const { company, owner } = await app.createCompany();
  const why = 'Import failure. Please try to import contacts once again';
  const { id } = (await upload(owner, 'name,number\nAda,2125550171\nBo,2125550172\n')).body.data;
  await inCompany(company.id, (t) =>
    startContactImport(
      { ...t, actor: { ...t.actor, userId: owner.id }, enqueue: async () => {} },
      id,
      {},
    ),
  );
  const ctx = systemCtx(app.services, company.id, app.notifier);
  // Fails each step (its work returns true) before the commit.
  const broken: Ctx = {
    ...ctx,
    transaction: (work) =>
      ctx.transaction(async (t) => {
        const result = await work(t);
        if (Object.is(result, true)) throw new Error('the disk is full');
        return result;
      }),
  };
  // Retried until the last attempt, which fails the import.
  await expect(runContactImport(broken, id, { last: false })).rejects.toThrow('the disk is full');
  expect((await get(owner, id)).state).toBe('running');
  await runContactImport(broken, id, { last: true });
  const failed = await get(owner, id);
  expect(failed).toMatchObject({ state: 'failed', failure: why, processed: 0 });
  expect(
    (
      await app.as(owner).request(contract.contactsProgress, {
        params: { companyId: company.id, batchId: failed.batchId! },
      })
    ).body.data,
  ).toMatchObject({
    progress: 100,
    finishedAt: expect.any(String),
    failed: 1,
    errors: [{ row: 0, field: 'file', message: why }],
  });
  const { rows } = await app.services.db.pool.query(
    `select data from outbox where company_id = $1 and event = 'contact-import-completed'`,
    [company.id],
  );
  expect(rows).toMatchObject([
    {
      data: {
        batchId: failed.batchId,
        progress: 100,
        failure: why,
        resultUrl: `/contacts/import?import=${id}`,
      },
    },
  ]);
  expect(await listAll(owner)).toEqual([]);
  // A late job does nothing, and the same file can be imported again.
  await runContactImport(ctx, id, { last: true });
  expect((await get(owner, id)).state).toBe('failed');
  expect(await importFile(owner, 'name,number\nAda,2125550171\nBo,2125550172\n')).toMatchObject({
    state: 'finished',
    created: 2,
    failure: null,
  });
});

test('an import resumes after a crash, and two runs at once do each step once', async () => {
  const { company, owner } = await app.createCompany();
  const rows = stepRows * 2 + 37;
  const { id } = (
    await upload(
      owner,
      `name,number\n${Array.from({ length: rows }, (_, i) => `P${i},+1212${2_000_000 + i}`).join('\n')}\nTwice,+12122000000\n`,
    )
  ).body.data;
  await inCompany(company.id, (t) => startContactImport({ ...t, enqueue: async () => {} }, id, {}));
  const ctx = systemCtx(app.services, company.id, app.notifier);
  let steps = 0;
  const dying: Ctx = {
    ...ctx,
    transaction: (work) =>
      ctx.transaction(async (t) => {
        const result = await work(t);
        if (++steps === 5) throw new Error('killed before its commit');
        return result;
      }),
  };
  await expect(runContactImport(dying, id, { last: false })).rejects.toThrow('killed');
  const half = await get(owner, id);
  expect([half.state, half.processed % stepRows, half.processed < rows]).toEqual([
    'running',
    0,
    true,
  ]);
  await Promise.all([
    runContactImport(ctx, id, { last: false }),
    runContactImport(ctx, id, { last: false }),
  ]);
  expect(await get(owner, id)).toMatchObject({
    state: 'finished',
    processed: rows + 1,
    created: rows,
    skipped: 1,
    skippedBy: { duplicate_in_file: 1 },
  });
  expect(
    (
      await app.services.db.pool.query(
        'select count(*)::int n, count(distinct number)::int d from contact where company_id = $1',
        [company.id],
      )
    ).rows[0],
  ).toEqual({ n: rows, d: rows });
  expect((await readCsv((await get(owner, id)).resultUrl)).length).toBe(rows + 2);
}, 180_000);
