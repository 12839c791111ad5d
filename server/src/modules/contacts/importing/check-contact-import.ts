import type { Answer, Body, importing as contract } from '#contract';
import type { PreviewRow } from '#contract/contacts/importing/schemas';
import { rowOutcomes } from '#contract/contacts/importing/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { areDetailsMasked } from '../present.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv-cells.ts';
import { readFileNumbers } from './file-numbers.ts';
import type { FileNumbers } from './plan-numbers.ts';
import { groupIdsByName } from './import-lists.ts';
import type { RowPlan } from './plan-row.ts';
import {
  planRows,
  distinctNames,
  loadNameIndex,
  importPlanOf,
  type ImportPlan,
} from './plan-rows.ts';
import { isHidden } from './present.ts';
import { resolveMapping } from './resolve-mapping.ts';
import { isMistake, problemOf } from './rules.ts';
import { stepRows, readStagedRows, type StagedFile, type StagedRow } from './staging-file.ts';
import { fileKey, importById, patchImport, type ImportRow, type StepCounts } from './store.ts';

const maxProblems = 500;
/** Per outcome. */
const maxExamples = 8;
const maxNewNames = 100;
const csvType = 'text/csv; charset=utf-8';
/** Name of the file with the rows to correct. */
export const mistakesFileName = (fileName: string) =>
  `${fileName.replace(/\.(csv|xlsx|txt|tsv)$/i, '')} errors.csv`;

/** What a check finds, collected row by row. */
interface CheckSummary {
  counts: StepCounts;
  skippedBy: Record<string, number>;
  optedOut: number;
  mistakes: number;
  problems: PreviewRow[];
  examples: PreviewRow[];
  /** Names of groups and labels to create, by lower-case name. */
  newGroups: Map<string, string>;
  newLabels: Map<string, string>;
}

/** The dry run: plans every row as the import will, and writes nothing but the file of mistakes. */
export async function checkContactImport(
  ctx: Ctx,
  importId: number,
  body: Body<typeof contract.checkContactImport>,
): Promise<Answer<typeof contract.checkContactImport>> {
  const { row, file, plan } = await ctx.transaction((t) => beginCheck(t, importId, body));
  const summary: CheckSummary = {
    counts: { created: 0, updated: 0, unchanged: 0, skipped: 0, noted: 0 },
    skippedBy: {},
    optedOut: 0,
    mistakes: 0,
    problems: [],
    examples: [],
    newGroups: new Map(),
    newLabels: new Map(),
  };
  const mistakesUrl = await storeMistakes(
    ctx,
    row,
    await ctx.files.receive(
      ctx.companyId,
      csvType,
      checkRows(ctx, row, file, plan, summary),
      ctx.now,
    ),
    summary.mistakes,
  );
  const newGroup = plan.options.newGroup?.trim();
  if (newGroup && !(await ctx.transaction((t) => groupIdsByName(t, [newGroup]))).size)
    summary.newGroups.set(newGroup.toLowerCase(), newGroup);
  const outcomeOrder = (example: PreviewRow) => rowOutcomes.indexOf(example.outcome);
  return {
    data: {
      rows: row.row_count,
      ...summary.counts,
      skippedBy: summary.skippedBy,
      optedOut: summary.optedOut,
      newGroups: [...summary.newGroups.values()].slice(0, maxNewNames),
      newLabels: [...summary.newLabels.values()].slice(0, maxNewNames),
      problems: summary.problems,
      examples: summary.examples.sort((a, b) => outcomeOrder(a) - outcomeOrder(b)),
      mistakesUrl,
    },
  };
}

async function beginCheck(
  t: TxCtx,
  importId: number,
  body: Body<typeof contract.checkContactImport>,
): Promise<{ row: ImportRow; file: StagedFile; plan: ImportPlan }> {
  const row = (await importById(t.tx, t.companyId, importId)) ?? notFound();
  if (isHidden(t, row)) fail('role.forbidden');
  const file =
    row.rows_file_id === null ? null : await fileKey(t.tx, t.companyId, row.rows_file_id);
  if (row.state !== 'uploaded' || !file) fail('import.begun');
  const { mapping, options } = await resolveMapping(t, row, body);
  await patchImport(t.tx, t.companyId, importId, {
    mapping: JSON.stringify(mapping),
    options: JSON.stringify(options),
  });
  return { row, file, plan: await importPlanOf(t, row, mapping, options) };
}

/** Plans all rows into `summary`, and yields the file of mistakes. */
async function* checkRows(
  ctx: Ctx,
  row: ImportRow,
  file: StagedFile,
  plan: ImportPlan,
  summary: CheckSummary,
): AsyncGenerator<Buffer> {
  const hideDetails = areDetailsMasked(ctx);
  yield Buffer.from(`${BYTE_ORDER_MARK}${csvLine([...row.headers, 'Problem'])}`);
  const fileNumbers = await readFileNumbers(ctx, file, plan);
  for await (const rows of readStagedRows(ctx, file, 0, stepRows)) {
    const plans = await ctx.transaction((t) => planStep(t, plan, rows, fileNumbers, summary));
    let lines = '';
    for (const [i, rowPlan] of plans.entries()) {
      addToSummary(summary, rowPlan, hideDetails);
      if (!isMistake(rowPlan)) continue;
      const cells = row.headers.map((_, column) => rows[i]?.cells[column] ?? '');
      lines += csvLine([...cells, problemOf(rowPlan) ?? '']);
    }
    if (lines) yield Buffer.from(lines);
  }
}

async function planStep(
  t: TxCtx,
  plan: ImportPlan,
  rows: readonly StagedRow[],
  fileNumbers: FileNumbers,
  { newGroups, newLabels }: CheckSummary,
): Promise<RowPlan[]> {
  const parsed = rows.map(({ row, cells, problem }) => plan.readRow(row, cells, problem));
  const nameIndex = await loadNameIndex(t, parsed);
  for (const [key, name] of distinctNames(parsed, 'groups'))
    if (!nameIndex.groups.has(key)) newGroups.set(key, name);
  for (const [key, name] of distinctNames(parsed, 'labels'))
    if (!nameIndex.labels.has(key)) newLabels.set(key, name);
  return planRows(t, plan, parsed, fileNumbers, { nameIndex, lock: false });
}

function addToSummary(summary: CheckSummary, plan: RowPlan, hideDetails: boolean): void {
  const { outcome, reason } = plan;
  const isSkipped = outcome === 'skipped';
  summary.counts[outcome]++;
  if (reason) summary.skippedBy[reason] = (summary.skippedBy[reason] ?? 0) + 1;
  if (plan.notes?.length && !isSkipped) summary.counts.noted++;
  if (plan.optsOut || plan.facts?.optedOutAt) summary.optedOut++;
  if (isMistake(plan)) {
    summary.mistakes++;
    if (summary.problems.length < maxProblems) summary.problems.push(presentRow(plan, hideDetails));
  }
  if (!isSkipped && summary.examples.filter((e) => e.outcome === outcome).length < maxExamples)
    summary.examples.push(presentRow(plan, hideDetails));
}

/** Replaces the import's file of mistakes; returns its signed URL, or null when there are none. */
async function storeMistakes(
  ctx: Ctx,
  { id, file_name }: ImportRow,
  received: Awaited<ReturnType<Ctx['files']['receive']>>,
  mistakes: number,
): Promise<string | null> {
  const url = await ctx.transaction(async (t) => {
    const current = await importById(t.tx, t.companyId, id);
    if (!mistakes || current?.state !== 'uploaded') return null;
    if (current.mistakes_file_id !== null)
      await t.files.markDeleted(t.tx, t.companyId, current.mistakes_file_id, t.now);
    const name = mistakesFileName(file_name);
    const stored = await t.files.insertRow(
      t.tx,
      t.companyId,
      { name, contentType: csvType, purpose: 'contact-import', received },
      t.now,
    );
    await patchImport(t.tx, t.companyId, id, { mistakes_file_id: stored.id });
    return t.files.signUrl(t.companyId, stored.id, t.now, 3600);
  });
  if (url === null) await ctx.files.blobs.remove(received.key);
  return url;
}

/** `hide`: for users who can't see contact details; existing values are masked. */
const presentRow = (plan: RowPlan, hide: boolean): PreviewRow => ({
  row: plan.row,
  outcome: plan.outcome,
  reason: plan.reason ?? null,
  problem: problemOf(plan),
  name: (plan.parsed.values.name ?? '').slice(0, 120),
  number: (plan.parsed.number ?? plan.parsed.rawNumber).slice(0, 60),
  contactId: plan.contactId ?? null,
  changes: plan.changes.map((change) => ({
    field: change.field,
    before: hide && change.before ? '•••' : change.before.slice(0, 200),
    after: change.after.slice(0, 200),
  })),
});
