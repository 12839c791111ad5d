import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { aWorld } from '../../test/world.ts';
import { readBatch } from './batches.ts';
import { systemCtx } from './context.ts';
import {
  beginExport,
  exportRows,
  MOST_ROWS,
  type ExportedFile,
  type ExportPlan,
} from './export-rows.ts';

const world = await aWorld();
const { company, owner } = await world.company();
const ctx = {
  ...systemCtx(world.house, company.id, world.said),
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
const begin = (total: number) =>
  ctx
    .transaction((t) =>
      beginExport(t, {
        kind: 'export-test',
        job: 'exports.none',
        input: { format: 'csv', tz: 'UTC', columns: ['n'] },
        total,
      }),
    )
    .then((b) => b.batchId);
const batchOf = async (id: string) =>
  (await ctx.transaction((t) => readBatch(t.tx, company.id, id, 'export-test')))!;
const plan = (
  total: number,
  more: Partial<ExportPlan<Row, number>> = {},
): ExportPlan<Row, number> => ({
  kind: 'export-test',
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
  'memory is flat: six times the rows of a %s file hold no more at once',
  async (format) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const peak = async (total: number) => {
      let most = 0;
      const p = plan(total, { format });
      // Looked at after 4,000 rows, 14,000 and 24,000: each collection of so large a heap takes a good part of a second.
      await exportRows<Row, number>(
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
    // 20,000 rows more are 20 MB of text; held, they would be seen.
    expect((large - small) / 1_000_000).toBeLessThan(10);
  },
  180_000,
);

describe('a job that dies', () => {
  test('begins again from the start, and the file holds every row once', async () => {
    const id = await begin(3000);
    let pages = 0;
    const broken = plan(3000);
    await expect(
      exportRows<Row, number>(
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
    await exportRows<Row, number>(ctx, id, plan(3000), { last: false });
    await exportRows<Row, number>(ctx, id, plan(3000), { last: false }); // its twin, late: boring
    const done = await batchOf(id);
    const file = done.result[0] as ExportedFile;
    const row = await world.house.db.system((tx) =>
      tx
        .selectFrom('file')
        .selectAll()
        .where('company_id', '=', company.id)
        .where('id', '=', file.fileId)
        .executeTakeFirstOrThrow(),
    );
    const lines = (await world.house.files.bytes.get(row.key)).toString().trimEnd().split('\r\n');
    expect([
      done.processed,
      done.total,
      done.result.length,
      file.rows,
      lines.length - 1,
      new Set(lines).size - 1,
    ]).toEqual([3000, 3000, 1, 3000, 3000, 3000]);
  });
  test('for the last time says so, and its asker need not wait', async () => {
    const id = await begin(10);
    await exportRows<Row, number>(
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
      errors: [{ message: 'The file could not be made. Please try again.' }],
    });
  });
});
test('rows that came or went since they were counted change the total, not the file', async () => {
  for (const counted of [0, 5, 9000]) {
    const id = await begin(counted);
    await exportRows<Row, number>(ctx, id, plan(2500), { last: false });
    expect(await batchOf(id)).toMatchObject({ total: 2500, processed: 2500, failed: 0 });
  }
});
test('more than a file holds is refused with what to do', async () => {
  await expect(begin(MOST_ROWS + 1)).rejects.toMatchObject({ code: 'export.too_large' });
});
