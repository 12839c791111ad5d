import { z } from 'zod';
import { audit as contract, type Answer, type Body } from '#contract';
import { companySettingsOf } from '#contract/settings/rules';
import { asAsked, batchKind } from '../../../platform/batch-kind.ts';
import { readBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { ExportColumn } from '../../../platform/export-formats.ts';
import { createExport, exportInput, runExport } from '../../../platform/export-rows.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { companyRow, isKnownZone } from '../../companies/index.ts';
import { auditFilter, presentEntries } from './list-audit-log.ts';
import { auditPage, countAudit, type AuditFilter, type AuditPlace } from './store-audit.ts';
import { exportAuditLogJob } from './job-kinds.ts';

const PAGE = 1_000;

/** `filter`: what the requester could see, and asked for, when they asked. */
const auditExport = z.object({
  ...exportInput,
  filter: asAsked<Omit<AuditFilter, 'from' | 'to'> & { from: string | null; to: string }>(),
});
const EXPORT_KIND = batchKind('export-audit-log', auditExport);

/** Starts an export of the changes that match and that the person may see. */
export async function exportAuditLog(
  ctx: TxCtx,
  body: Body<typeof contract.exportAuditLog>,
): Promise<Answer<typeof contract.exportAuditLog>> {
  // Users whose exports are turned off can't export this list either.
  if (ctx.role === 'user' && ctx.may('exports.make') === 'none') fail('role.forbidden');
  if (!isKnownZone(body.tz)) invalid({ tz: 'Choose a time zone from the list.' });
  const filter = auditFilter(ctx, body);
  const until = filter.to !== null && filter.to < ctx.now ? filter.to : ctx.now;
  const total = await countAudit(ctx.tx, ctx.companyId, { ...filter, to: until });
  const input = {
    columns: columns.map((c) => c.key),
    format: body.format,
    tz: body.tz,
    filter: { ...filter, from: filter.from?.toISOString() ?? null, to: until.toISOString() },
  };
  return {
    data: await createExport(ctx, {
      kind: EXPORT_KIND,
      job: exportAuditLogJob,
      permission: 'audit.view',
      input,
      total,
    }),
  };
}

type Entry = Awaited<ReturnType<typeof presentEntries>>[number] & {
  before: unknown;
  after: unknown;
};
const json = (value: unknown): string => (value === null ? '' : JSON.stringify(value));
const columns: readonly ExportColumn<Entry>[] = [
  { key: 'at', title: 'When', cell: (e) => new Date(e.at) },
  { key: 'who', title: 'Who', cell: (e) => e.actor.name },
  { key: 'user_id', title: 'User ID', cell: (e) => e.actor.id },
  { key: 'what', title: 'What', cell: (e) => e.sentence },
  { key: 'action', title: 'Action', cell: (e) => e.action },
  { key: 'subject', title: 'Subject', cell: (e) => e.subject },
  { key: 'subject_name', title: 'Name', cell: (e) => e.subject_name },
  { key: 'before', title: 'Before', cell: (e) => json(e.before) },
  { key: 'after', title: 'After', cell: (e) => json(e.after) },
  { key: 'ip', title: 'IP address', cell: (e) => e.ip },
  { key: 'impersonated_by', title: 'Acted in their place', cell: (e) => e.impersonated_by },
  { key: 'reason', title: 'Reason', cell: (e) => e.reason },
];

/** Job: writes the file, page by page along the index by time. */
export async function writeAuditExport(
  ctx: Ctx,
  batchId: string,
  attempt: { last: boolean },
): Promise<void> {
  const loaded = await ctx.transaction(async (t) => ({
    batch: await readBatch(t.tx, t.companyId, batchId, EXPORT_KIND),
    settings: companySettingsOf((await companyRow(t.tx, t.companyId))?.settings),
  }));
  if (!loaded.batch) return;
  const { format, tz, filter } = loaded.batch.input;
  const { from, to } = filter;
  const whole = { ...filter, from: from ? new Date(from) : null, to: new Date(to) };
  await runExport<Entry, AuditPlace>(
    ctx,
    batchId,
    {
      kind: EXPORT_KIND,
      name: `audit-log-${to.slice(0, 10)}`,
      format,
      tz,
      columns,
      linkHours: loaded.settings.export_link_hours,
      page: async (t, after) => {
        const rows = await auditPage(t.tx, t.companyId, whole, { after, limit: PAGE });
        const entries = await presentEntries(t, rows);
        const last = rows.at(-1);
        return {
          rows: entries.map((entry, i) => ({
            ...entry,
            before: rows[i]?.before ?? null,
            after: rows[i]?.after ?? null,
          })),
          after: last && rows.length === PAGE ? { at: new Date(last.at), id: last.id } : null,
        };
      },
    },
    attempt,
  );
}
