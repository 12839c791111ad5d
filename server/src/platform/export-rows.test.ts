import { z } from 'zod';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { entriesOf } from '../../test/support/zip-entries.ts';
import { batchKind } from './batch-kind.ts';
import { readBatch } from './batches.ts';
import { systemCtx } from './context.ts';
import {
  createExport,
  exportInput,
  runExport,
  MAX_EXPORT_ROWS,
  type ExportedFile,
  type ExportSpec,
} from './export-rows.ts';
import { PART_ROWS } from './export-parts.ts';
import { jobKind } from './job-kind.ts';
import { runJob } from './jobs.ts';
import { mailExportJob } from './export-jobs.ts';

const app = await createTestApp();
// These tests run the exports directly, not through the queued job.
runJob(
  jobKind('exports.none', z.unknown(), {
    queue: 'bulk',
    timeoutSeconds: 60,
    overlap: 'allowed',
    retries: 0,
  }),
  async () => {},
);
const { company, owner } = await app.createCompany();
const ctx = {
  ...systemCtx(app.services, company.id, app.notifier),
  actor: {
    kind: 'user' as const,
    userId: owner.id,
    name: 'Olive',
    email: owner.email,
    sessionId: 0,
    staff: false,
    adminMode: false,
    memberships: [],
  },
};
interface Row {
  n: number;
  text: string;
}
const PAGE = 1000;
const kind = batchKind('export-contacts', z.object(exportInput));
const begin = (total: number) =>
  ctx
    .transaction((t) =>
      createExport(t, {
        kind,
        permission: 'contacts.bulk',
        job: mailExportJob,
        input: { format: 'csv', tz: 'UTC', columns: ['n'] },
        total,
      }),
    )
    .then((b) => b.batchId);
const batchOf = async (id: string) =>
  (await ctx.transaction((t) => readBatch(t.tx, company.id, id, kind)))!;
const fileBytes = async (fileId: number): Promise<Buffer> => {
  const { key } = await app.services.db.systemTransaction((tx) =>
    tx
      .selectFrom('file')
      .select('key')
      .where('company_id', '=', company.id)
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow(),
  );
  return app.services.files.blobs.get(key);
};
const plan = (
  total: number,
  more: Partial<ExportSpec<Row, number>> = {},
): ExportSpec<Row, number> => ({
  kind,
  name: 'test',
  format: 'csv',
  tz: 'UTC',
  linkHours: 24,
  columns: [
    { key: 'n', title: 'N', cell: (r) => r.n },
    { key: 'text', title: 'Text', cell: (r) => r.text },
  ],
  page: async (_, after) => {
    const from = after ?? 0;
    const rows = Array.from({ length: Math.min(PAGE, total - from) }, (__, i) => ({
      n: from + i,
      text: `row ${from + i} `.padEnd(1000, 'x'),
    }));
    return { rows, after: from + PAGE < total ? from + PAGE : null };
  },
  ...more,
});

test.each(['csv', 'jsonl', 'xlsx'] as const)(
  'memory is flat: a %s file with six times the rows needs no more of it at once',
  async (format) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const peak = async (total: number) => {
      let most = 0;
      const p = plan(total, { format });
      // Measured after 4,000, 14,000 and 24,000 rows: each collection of a heap this large takes a
      // good part of a second.
      await runExport<Row, number>(
        ctx,
        await begin(total),
        {
          ...p,
          page: async (t, after) => {
            if ((after ?? 0) % 10_000 === 4000) {
              collect();
              most = Math.max(most, process.memoryUsage().heapUsed);
            }
            return p.page(t, after);
          },
        },
        { last: false },
      );
      return most;
    };
    await peak(1000);
    const [small, large] = [await peak(5000), await peak(30_000)];
    // 20,000 more rows are 20 MB of text, which would show if they were held.
    expect((large - small) / 1_000_000).toBeLessThan(10);
  },
  180_000,
);

describe('an export job that crashes', () => {
  test('starts over, and the file holds every row once', async () => {
    const id = await begin(3000);
    let pages = 0;
    const broken = plan(3000);
    await expect(
      runExport<Row, number>(
        ctx,
        id,
        {
          ...broken,
          page: (t, after) => {
            if (++pages === 2) throw new Error('the lights went out');
            return broken.page(t, after);
          },
        },
        { last: false },
      ),
    ).rejects.toThrow('lights');
    expect((await batchOf(id)).finishedAt).toBeNull();
    await runExport<Row, number>(ctx, id, plan(3000), { last: false });
    await runExport<Row, number>(ctx, id, plan(3000), { last: false }); // A second run of the same job, which has nothing to do.
    const done = await batchOf(id);
    const file = done.result[0] as ExportedFile;
    const lines = (await fileBytes(file.fileId)).toString().trimEnd().split('\r\n');
    expect([
      done.processed,
      done.total,
      done.result.length,
      file.rows,
      lines.length - 1,
      new Set(lines).size - 1,
    ]).toEqual([3000, 3000, 1, 3000, 3000, 3000]);
  });
  test('reports the failure after its last attempt, so that the user need not wait', async () => {
    const id = await begin(10);
    await runExport<Row, number>(
      ctx,
      id,
      plan(10, {
        page: () => {
          throw new Error('no');
        },
      }),
      { last: true },
    );
    expect(await batchOf(id)).toMatchObject({
      failed: 1,
      result: [],
      errors: [{ message: 'The file couldn’t be created. Try again.' }],
    });
  });
});
test('while a page is written, other work of the process has its turn', async () => {
  let isRunning = true;
  let turns = 0;
  const takeTurn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(takeTurn);
  };
  const total = 10_000;
  const rows = Array.from({ length: total }, (_, n) => ({ n, text: '' }));
  const turnsAt: number[] = [];
  const cell = ({ n }: Row): number => {
    if (n === 0 || n === total - 1) turnsAt.push(turns);
    return n;
  };
  const columns = [{ key: 'n', title: 'N', cell }];
  takeTurn();
  const id = await begin(total);
  const whole = plan(total, { columns, page: () => Promise.resolve({ rows, after: null }) });
  await runExport<Row, number>(ctx, id, whole, { last: false });
  isRunning = false;
  const [first = 0, last = 0] = turnsAt;
  expect(last - first).toBeGreaterThanOrEqual(30);
});
test('rows added or removed since the count change the total, not the file', async () => {
  for (const counted of [0, 5, 9000]) {
    const id = await begin(counted);
    await runExport<Row, number>(ctx, id, plan(2500), { last: false });
    expect(await batchOf(id)).toMatchObject({ total: 2500, processed: 2500, failed: 0 });
  }
});
test('more rows than a sheet holds are files of an archive, each with its heading', async () => {
  const total = PART_ROWS + 5;
  const id = await begin(total);
  const pageRows = 20_000;
  const short = plan(total, {
    name: 'calls',
    columns: [{ key: 'n', title: 'N', cell: (r) => r.n }],
    page: async (_, after) => {
      const from = after ?? 0;
      const length = Math.min(pageRows, total - from);
      const rows = Array.from({ length }, (__, i) => ({ n: from + i, text: '' }));
      return { rows, after: from + length < total ? from + length : null };
    },
  });
  await runExport<Row, number>(ctx, id, short, { last: false });
  const { result, processed } = await batchOf(id);
  const file = result[0] as ExportedFile;
  expect([processed, file.name]).toEqual([total, 'calls.zip']);
  const bytes = await fileBytes(file.fileId);
  const entries = await entriesOf(bytes);
  expect([...entries.keys()]).toEqual(['calls 1.csv', 'calls 2.csv']);
  const lines = (name: string) => entries.get(name)!.toString().trimEnd().split('\r\n');
  expect(lines('calls 1.csv').length).toBe(PART_ROWS + 1);
  expect(lines('calls 2.csv')).toEqual([
    '\uFEFFN',
    ...[0, 1, 2, 3, 4].map((i) => String(PART_ROWS + i)),
  ]);
}, 60_000);
test('an export above the row limit is rejected with advice', async () => {
  await expect(begin(MAX_EXPORT_ROWS + 1)).rejects.toMatchObject({ code: 'export.too_large' });
});
