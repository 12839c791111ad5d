import type { Answer, Body, importing as contract } from '#contract';
import type { SeenRow } from '#contract/importing';
import { rowOutcomes } from '#contract/importing-rules';
import type { Ctx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { masked } from '../present.ts';
import { columnsMeant } from './columns-meant.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-cells.ts';
import type { Fate } from './judge.ts';
import { lookAtRows, namesIn, placesOf, planOf } from './look-at-rows.ts';
import { isHidden } from './present.ts';
import { isMistake, problemOf } from './rules.ts';
import { STEP_ROWS, storedRows } from './row-file.ts';
import { fileKey, importById, patchImport } from './store.ts';
import { groupsNamed } from './store-people.ts';

const MOST_PROBLEMS = 500;
const EXAMPLES = 8;
export const mistakesName = (fileName: string) =>
  `${fileName.replace(/\.(csv|xlsx|txt|tsv)$/i, '')} mistakes.csv`;

/** The dry run: every row is judged as the import will judge it, and nothing is written but the file of mistakes. */
export async function checkContactImport(
  ctx: Ctx,
  importId: number,
  body: Body<typeof contract.checkContactImport>,
): Promise<Answer<typeof contract.checkContactImport>> {
  const begun = await ctx.transaction(async (t) => {
    const row = (await importById(t.tx, t.companyId, importId)) ?? missing();
    if (isHidden(ctx, row)) refuse('role.forbidden');
    const file =
      row.rows_file_id === null ? null : await fileKey(t.tx, t.companyId, row.rows_file_id);
    if (row.state !== 'uploaded' || !file) refuse('import.begun');
    const { mapping, options } = await columnsMeant(t, row, body);
    await patchImport(t.tx, t.companyId, importId, {
      mapping: JSON.stringify(mapping),
      options: JSON.stringify(options),
    });
    return { row, file: file!, plan: await planOf(t, row, mapping, options), options };
  });
  const { row, file, plan, options } = begun;
  const hide = masked(ctx);
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, noted: 0 };
  const skippedBy: Record<string, number> = {};
  const problems: SeenRow[] = [];
  const examples: SeenRow[] = [];
  const shown = new Map<string, number>();
  const [groups, labels] = [new Map<string, string>(), new Map<string, string>()];
  let optedOut = 0;
  let mistakes = 0;

  async function* judged(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${BYTE_ORDER_MARK}${csvLine([...(row.headers as string[]), 'Problem'])}`);
    const seen = new Map<string, number>();
    for await (const rows of storedRows(ctx, file, 0, STEP_ROWS)) {
      const read = rows.map((r) => plan.read(r.row, r.cells, r.fault));
      const fates = await ctx.transaction(async (t) => {
        const places = await placesOf(t, read);
        for (const [key, name] of namesIn(read, 'groups'))
          if (!places.groups.has(key)) groups.set(key, name);
        for (const [key, name] of namesIn(read, 'labels'))
          if (!places.labels.has(key)) labels.set(key, name);
        return lookAtRows(t, plan, read, seen, { places, hold: false });
      });
      let text = '';
      fates.forEach((fate, i) => {
        counts[fate.o]++;
        if (fate.w) skippedBy[fate.w] = (skippedBy[fate.w] ?? 0) + 1;
        if (fate.n?.length && fate.o !== 'skipped') counts.noted++;
        if (fate.optsOut || fate.facts?.optedOutAt) optedOut++;
        if (isMistake(fate)) {
          mistakes++;
          if (problems.length < MOST_PROBLEMS) problems.push(seenRow(fate, hide));
          text += csvLine([
            ...(row.headers as string[]).map((_, c) => rows[i]!.cells[c] ?? ''),
            problemOf(fate) ?? '',
          ]);
        }
        const n = shown.get(fate.o) ?? 0;
        if (n < EXAMPLES && fate.o !== 'skipped') {
          shown.set(fate.o, n + 1);
          examples.push(seenRow(fate, hide));
        }
      });
      if (text) yield Buffer.from(text);
    }
  }
  const received = await ctx.files.receive(
    ctx.companyId,
    'text/csv; charset=utf-8',
    judged(),
    ctx.now,
  );
  const mistakesUrl = await ctx.transaction(async (t) => {
    const now = await importById(t.tx, t.companyId, importId);
    if (!mistakes || now?.state !== 'uploaded') return null;
    if (now.mistakes_file_id !== null)
      await t.files.forget(t.tx, t.companyId, now.mistakes_file_id, t.now);
    const stored = await t.files.enter(
      t.tx,
      t.companyId,
      {
        name: mistakesName(row.file_name),
        contentType: 'text/csv; charset=utf-8',
        purpose: 'contact-import',
        received,
      },
      t.now,
    );
    await patchImport(t.tx, t.companyId, importId, { mistakes_file_id: stored.id });
    return t.files.sign(t.companyId, stored.id, t.now, 3600);
  });
  if (mistakesUrl === null) await ctx.files.bytes.remove(received.key);
  const newGroup = options.newGroup?.trim();
  if (
    newGroup &&
    !(await ctx.transaction((t) => groupsNamed(t.tx, t.companyId, [newGroup]))).has(
      newGroup.toLowerCase(),
    )
  )
    groups.set(newGroup.toLowerCase(), newGroup);
  examples.sort((a, b) => rowOutcomes.indexOf(a.outcome) - rowOutcomes.indexOf(b.outcome));
  return {
    data: {
      rows: row.row_count,
      ...counts,
      skippedBy,
      optedOut,
      newGroups: [...groups.values()].slice(0, 100),
      newLabels: [...labels.values()].slice(0, 100),
      problems,
      examples,
      mistakesUrl,
    },
  };
}

/** Whoever may not see personal details is not shown what stands in the book either. */
const seenRow = (f: Fate, hide: boolean): SeenRow => ({
  row: f.r,
  outcome: f.o,
  reason: f.w ?? null,
  problem: problemOf(f),
  name: (f.row.values.name ?? '').slice(0, 120),
  number: (f.row.number ?? f.row.raw).slice(0, 60),
  contactId: f.id ?? null,
  changes: f.changes.map((c) => ({
    field: c.field,
    before: hide && c.before ? '•••' : c.before.slice(0, 200),
    after: c.after.slice(0, 200),
  })),
});
