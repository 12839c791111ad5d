import { z } from 'zod';
import type { Query, search as contract } from '#contract';
import type { CallFound } from '#contract/calls/search/schemas';
import { asAsked, batchKind } from '../../../platform/batch-kind.ts';
import { countBatchesSince, readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { ExportColumn } from '../../../platform/export-formats.ts';
import { createExport, exportInput, runExport } from '../../../platform/export-rows.ts';
import { fail } from '../../../platform/errors.ts';
import { numbersStillVisible } from '../../companies/index.ts';
import { maskNumber } from '../../../platform/masking/mask-text.ts';
import { areNumbersMasked } from '../../contacts/index.ts';
import { searchFilter, presentResults } from './present-results.ts';
import { COUNT_TO, everyMatch, type SearchFilter } from './store-search.ts';
import { exportSearchJob } from '../job-kinds.ts';

const PAGE = 500;
type SearchQuery = Query<typeof contract.searchCalls>;
/** `sight`: the numbers the user may see, null = all; `hidden`: contacts' numbers are masked. */
const KIND = batchKind(
  'export-call-search',
  z.object({
    ...exportInput,
    query: asAsked<SearchQuery>(),
    sight: z.array(z.number()).readonly().nullable(),
    hidden: z.boolean(),
    at: z.string(),
  }),
);

/**
 * Queues an export of all search results. Checks permission (`role.forbidden`) and the hourly limit
 * (`rate.limited`) here, because the endpoint mostly serves searches without an export.
 */
export async function exportSearch(
  ctx: TxCtx,
  query: SearchQuery,
  filter: SearchFilter,
): Promise<Record<string, unknown>> {
  if (ctx.may('exports.make') === 'none') fail('role.forbidden');
  const most = ctx.settings.limits.exportsPerHour;
  if (
    (await countBatchesSince(
      ctx.tx,
      ctx.companyId,
      'export-%',
      ctx.actor.userId,
      new Date(ctx.now.getTime() - 3_600_000),
    )) >= most
  )
    fail('rate.limited', { seconds: 3600 });
  const { total } = await everyMatch(ctx.tx, filter, { limit: 1, offset: 0 });
  const input = {
    query,
    sight: ctx.numbers,
    hidden: areNumbersMasked(ctx),
    at: ctx.now.toISOString(),
    format: 'csv' as const,
    tz: query.tz,
    columns: columnsFor(false).map((c) => c.key),
  };
  return {
    ...(await createExport(ctx, {
      kind: KIND,
      job: exportSearchJob,
      permission: 'exports.make',
      input,
      total: Math.min(total, COUNT_TO),
    })),
  };
}

/** Job: writes the export file. */
export async function writeSearch(
  ctx: Ctx,
  { batchId }: { batchId: string },
  attempt: { last: boolean },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, KIND));
  if (!batch) return;
  const stored = batch.input;
  // Read for each page: the requester's numbers can change while the file is written.
  const filterNow = async () =>
    searchFilter(
      {
        companyId: ctx.companyId,
        numbers: await numbersStillVisible(ctx, batch.createdBy, 'exports.make', stored.sight),
        now: new Date(stored.at),
      },
      stored.query,
    );
  await runExport(
    ctx,
    batchId,
    {
      kind: KIND,
      name: `call-search-${stored.at.slice(0, 10)}`,
      format: 'csv',
      tz: stored.tz,
      columns: columnsFor(stored.hidden).map((c) =>
        c.key === 'started_at' ? { ...c, title: `Started (${stored.tz})` } : c,
      ),
      linkHours: 24,
      page: async (t, after: number | null) => {
        const from = after ?? 0;
        const filter = await filterNow();
        const { rows } = await everyMatch(t.tx, filter, {
          limit: Math.min(PAGE, COUNT_TO - from),
          offset: from,
        });
        return {
          rows: await presentResults(t, rows, filter.terms ?? []),
          after: rows.length === PAGE && from + PAGE < COUNT_TO ? from + PAGE : null,
        };
      },
    },
    attempt,
  );
}

const party = ({ call }: CallFound) => (call.outbound ? call.to : call.from);
/** The highlights as text. Those of the caller are left out when numbers are masked. */
const matchedText = ({ highlights }: CallFound, hidden: boolean) =>
  highlights
    .filter((h) => !hidden || h.field !== 'caller')
    .map((h) => (h.start_ms === null ? h.snippet : `[${clock(h.start_ms)}] ${h.snippet}`))
    .join('\n');
/** Minutes and seconds: "1:05". */
function clock(ms: number): string {
  const seconds = String(Math.floor(ms / 1000) % 60).padStart(2, '0');
  return `${Math.floor(ms / 60_000)}:${seconds}`;
}
/** The columns of the file. `hidden`: mask contacts' numbers. */
const columnsFor = (hidden: boolean): ExportColumn<CallFound>[] => [
  { key: 'started_at', title: 'Started', cell: (f) => new Date(f.call.started_at) },
  { key: 'direction', title: 'Direction', cell: (f) => (f.call.outbound ? 'outbound' : 'inbound') },
  { key: 'number', title: 'Number', cell: (f) => f.call.number.number },
  { key: 'number_label', title: 'Label', cell: (f) => f.call.number.label },
  {
    key: 'party',
    title: 'Other party',
    cell: (f) => (hidden && party(f).startsWith('+') ? maskNumber(party(f)) : party(f)),
  },
  { key: 'contact', title: 'Contact', cell: (f) => f.call.contact?.name ?? null },
  { key: 'talk_seconds', title: 'Talk (s)', cell: (f) => f.call.talk_seconds },
  { key: 'tags', title: 'Tags', cell: (f) => f.call.tags.map((tag) => tag.name).join('; ') },
  { key: 'found', title: 'Found', cell: (f) => matchedText(f, hidden) },
  { key: 'note', title: 'Note', cell: (f) => f.call.note },
  { key: 'id', title: 'Call id', cell: (f) => f.call.id },
];
