import type { Answer, Body, importing as contract } from '#contract';
import type { PreviewRow } from '#contract/contacts/importing/schemas';
import { rowOutcomes } from '#contract/contacts/importing/rules';
import type { Ctx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { areDetailsMasked } from '../present.ts';
import { resolveMapping } from './resolve-mapping.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-cells.ts';
import type { RowPlan } from './plan-row.ts';
import { planRows, distinctNames, loadNameIndex, importPlanOf } from './plan-rows.ts';
import { isHidden } from './present.ts';
import { isMistake, problemOf } from './rules.ts';
import { stepRows, readStagedRows } from './staging-file.ts';
import { fileKey, importById, patchImport } from './store.ts';
import { groupIdsByName } from './store-contacts.ts';

const maxProblems = 500;
const maxExamples = 8;
export const mistakesFileName = (fileName: string) =>
  `${fileName.replace(/\.(csv|xlsx|txt|tsv)$/i, '')} errors.csv`;

/** The dry run: every row is judged as the import will judge it, and nothing is written but the file of mistakes. */
export async function checkContactImport(
  ctx: Ctx,
  importId: number,
  body: Body<typeof contract.checkContactImport>,
): Promise<Answer<typeof contract.checkContactImport>> {
  const loaded = await ctx.transaction(async (t) => {
    const row = (await importById(t.tx, t.companyId, importId)) ?? notFound();
    if (isHidden(ctx, row)) fail('role.forbidden');
    const file =
      row.rows_file_id === null ? null : await fileKey(t.tx, t.companyId, row.rows_file_id);
    if (row.state !== 'uploaded' || !file) fail('import.begun');
    const { mapping, options } = await resolveMapping(t, row, body);
    await patchImport(t.tx, t.companyId, importId, {
      mapping: JSON.stringify(mapping),
      options: JSON.stringify(options),
    });
    return { row, file: file!, plan: await importPlanOf(t, row, mapping, options), options };
  });
  const { row, file, plan, options } = loaded;
  const maskDetails = areDetailsMasked(ctx);
  const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, noted: 0 };
  const skippedBy: Record<string, number> = {};
  const problems: PreviewRow[] = [];
  const examples: PreviewRow[] = [];
  const examplesByOutcome = new Map<string, number>();
  const [groups, labels] = [new Map<string, string>(), new Map<string, string>()];
  let optedOut = 0;
  let mistakes = 0;

  async function* mistakeLines(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${BYTE_ORDER_MARK}${csvLine([...(row.headers as string[]), 'Problem'])}`);
    const seen = new Map<string, number>();
    for await (const rows of readStagedRows(ctx, file, 0, stepRows)) {
      const read = rows.map((r) => plan.readRow(r.row, r.cells, r.problem));
      const plans = await ctx.transaction(async (t) => {
        const nameIndex = await loadNameIndex(t, read);
        for (const [key, name] of distinctNames(read, 'groups'))
          if (!nameIndex.groups.has(key)) groups.set(key, name);
        for (const [key, name] of distinctNames(read, 'labels'))
          if (!nameIndex.labels.has(key)) labels.set(key, name);
        return planRows(t, plan, read, seen, { places: nameIndex, lock: false });
      });
      let text = '';
      plans.forEach((fate, i) => {
        counts[fate.o]++;
        if (fate.w) skippedBy[fate.w] = (skippedBy[fate.w] ?? 0) + 1;
        if (fate.n?.length && fate.o !== 'skipped') counts.noted++;
        if (fate.optsOut || fate.facts?.optedOutAt) optedOut++;
        if (isMistake(fate)) {
          mistakes++;
          if (problems.length < maxProblems) problems.push(presentRow(fate, maskDetails));
          text += csvLine([
            ...(row.headers as string[]).map((_, c) => rows[i]!.cells[c] ?? ''),
            problemOf(fate) ?? '',
          ]);
        }
        const n = examplesByOutcome.get(fate.o) ?? 0;
        if (n < maxExamples && fate.o !== 'skipped') {
          examplesByOutcome.set(fate.o, n + 1);
          examples.push(presentRow(fate, maskDetails));
        }
      });
      if (text) yield Buffer.from(text);
    }
  }
  const received = await ctx.files.receive(
    ctx.companyId,
    'text/csv; charset=utf-8',
    mistakeLines(),
    ctx.now,
  );
  const mistakesUrl = await ctx.transaction(async (t) => {
    const current = await importById(t.tx, t.companyId, importId);
    if (!mistakes || current?.state !== 'uploaded') return null;
    if (current.mistakes_file_id !== null)
      await t.files.markDeleted(t.tx, t.companyId, current.mistakes_file_id, t.now);
    const stored = await t.files.insertRow(
      t.tx,
      t.companyId,
      {
        name: mistakesFileName(row.file_name),
        contentType: 'text/csv; charset=utf-8',
        purpose: 'contact-import',
        received,
      },
      t.now,
    );
    await patchImport(t.tx, t.companyId, importId, { mistakes_file_id: stored.id });
    return t.files.signUrl(t.companyId, stored.id, t.now, 3600);
  });
  if (mistakesUrl === null) await ctx.files.blobs.remove(received.key);
  const newGroup = options.newGroup?.trim();
  if (
    newGroup &&
    !(await ctx.transaction((t) => groupIdsByName(t.tx, t.companyId, [newGroup]))).has(
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
const presentRow = (f: RowPlan, hide: boolean): PreviewRow => ({
  row: f.r,
  outcome: f.o,
  reason: f.w ?? null,
  problem: problemOf(f),
  name: (f.row.values.name ?? '').slice(0, 120),
  number: (f.row.number ?? f.row.rawNumber).slice(0, 60),
  contactId: f.id ?? null,
  changes: f.changes.map((c) => ({
    field: c.field,
    before: hide && c.before ? '•••' : c.before.slice(0, 200),
    after: c.after.slice(0, 200),
  })),
});
