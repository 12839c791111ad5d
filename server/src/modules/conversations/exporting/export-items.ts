import { z } from 'zod';
import type { Answer, exporting as contract } from '#contract';
import type { ActivityKind } from '#contract/conversations/rules';
import { defaultColumns, type ExportEntity } from '#contract/fields/presets/export-columns';
import { companySettingsOf } from '#contract/settings/rules';
import { asAsked, batchKind } from '../../../platform/batch-kind.ts';
import { readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { createExport, exportInput, runExport } from '../../../platform/export-rows.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { companyRow, numbersStillVisible } from '../../companies/index.ts';
import { areNumbersMasked } from '../../contacts/index.ts';
import type { Hidden } from '../../../platform/masking/mask-text.ts';
import type { Filter } from '../store-activity.ts';
import { columnsFor, requiredJoins } from './columns.ts';
import { exportPage, countExport } from './store-exports.ts';
import { exportJob } from './job-kinds.ts';

const pageSize = 2000;
const kinds: Record<ExportEntity, ActivityKind> = {
  calls: 'call',
  messages: 'message',
  voicemails: 'voicemail',
  fax: 'fax',
};
const entities = ['calls', 'messages', 'voicemails', 'fax'] as const;
/**
 * `sight`: the requester's numbers at the time of the request; `hidden`: contacts' numbers are masked
 * for them; `notSearched`: what their filters on texts and names leave out (absent in older jobs).
 */
const itemExport = z.object({
  ...exportInput,
  entity: z.enum(entities),
  groups: asAsked<Filter[][]>(),
  sight: z.array(z.number()).readonly().nullable(),
  hidden: z.boolean(),
  notSearched: asAsked<Hidden | null>().optional(),
  until: z.string(),
});
const batchKinds = {
  calls: batchKind('export-calls', itemExport),
  messages: batchKind('export-messages', itemExport),
  voicemails: batchKind('export-voicemails', itemExport),
  fax: batchKind('export-fax', itemExport),
};

/**
 * Stores the request. The rows are those of the Activity list with the same filters, up to now.
 * `role.forbidden` without the permission to export.
 */
export async function exportItems(
  ctx: TxCtx,
  entity: ExportEntity,
  body: {
    columns?: readonly string[] | undefined;
    groups: Filter[][];
    tz: string;
    format: z.output<typeof itemExport>['format'];
  },
): Promise<Answer<typeof contract.exportCalls>> {
  if (ctx.may('exports.make') === 'none') fail('role.forbidden');
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: body.tz });
  } catch {
    invalid({ tz: 'Choose a time zone from the list.' });
  }
  const total = await countExport(
    ctx.tx,
    {
      companyId: ctx.companyId,
      hidden: ctx.contactDetails.hiddenFrom(ctx),
      sight: ctx.numbers,
      kinds: [kinds[entity]],
      groups: body.groups,
      tz: body.tz,
      now: ctx.now,
    },
    ctx.now,
  );
  const input = {
    entity,
    columns: body.columns ?? defaultColumns[entity],
    groups: body.groups,
    sight: ctx.numbers,
    hidden: areNumbersMasked(ctx),
    notSearched: ctx.contactDetails.hiddenFrom(ctx),
    tz: body.tz,
    format: body.format,
    until: ctx.now.toISOString(),
  };
  return {
    data: await createExport(ctx, {
      kind: batchKinds[entity],
      job: exportJob,
      permission: entity === 'messages' || entity === 'fax' ? 'inbox.view' : 'exports.make',
      input,
      total,
    }),
  };
}

/** Writes the file page by page along the activity index. */
export async function writeExport(
  ctx: Ctx,
  { batchId, kind }: { batchId: string; kind: string },
  attempt: { last: boolean },
): Promise<void> {
  const entity = entities.find((one) => kind === `export-${one}`);
  if (!entity) return;
  const loaded = await ctx.transaction(async (t) => ({
    batch: await readBatch(t.tx, t.companyId, batchId, batchKinds[entity]),
    hours: await linkHours(t),
  }));
  if (!loaded.batch) return;
  const requesterId = loaded.batch.createdBy;
  const { input } = loaded.batch;
  const until = new Date(input.until);
  const filter = {
    companyId: ctx.companyId,
    hidden: input.notSearched ?? (input.hidden ? { numbers: true } : null),
    sight: input.sight,
    kinds: [kinds[entity]],
    groups: input.groups,
    tz: input.tz,
    now: until,
  };
  const needs = requiredJoins(entity, input.columns);
  await runExport(
    ctx,
    batchId,
    {
      kind: batchKinds[entity],
      name: `${entity === 'fax' ? 'faxes' : entity}-${input.until.slice(0, 10)}`,
      format: input.format,
      tz: input.tz,
      columns: columnsFor(entity, input.columns, input.tz, input.hidden),
      linkHours: loaded.hours,
      page: async (t, after: number | null) => {
        // Read for each page: the requester's numbers can change while the file is written.
        const sight = await numbersStillVisible(ctx, requesterId, 'exports.make', input.sight);
        const rows = await exportPage(t.tx, { ...filter, sight }, needs, until, after, pageSize);
        const last = rows.at(-1);
        return { rows, after: last && rows.length === pageSize ? last.id : null };
      },
    },
    attempt,
  );
}

/** Setting `export_link_hours`: 1 to 168, 24 by default (A20). */
const linkHours = async (t: TxCtx): Promise<number> =>
  companySettingsOf((await companyRow(t.tx, t.companyId))?.settings).export_link_hours;
