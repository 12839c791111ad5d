import type { Answer, Body, PageAnswer, Query, sourceReports as contract } from '#contract';
import { sourceReportSaved } from '#contract/analytics/source-reports/events';
import {
  reportParams,
  type ReportParams,
  type SavedReport,
} from '#contract/analytics/source-reports/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { companiesSeenWhole, sightOf } from './companies-in-report.ts';
import { reportSources } from './report-sources.ts';
import { insertReport, reportPage, type SavedRow } from './store.ts';

/** How long a saved run is kept; retention deletes its row. */
const KEEP_MS = 400 * 86_400_000;

const present = (ctx: TxCtx, row: SavedRow): SavedReport => ({
  id: row.id,
  name: row.name,
  params: row.params as ReportParams,
  as_of: row.as_of.toISOString(),
  checksum: row.checksum,
  created_at: row.created_at.toISOString(),
  created_by: row.created_by,
  file_url: row.file_id === null ? null : ctx.files.signUrl(ctx.companyId, row.file_id, ctx.now),
});

/** Runs a report and keeps it with its file. Fails as the report does. */
export async function saveReport(
  ctx: TxCtx,
  { name, ...body }: Body<typeof contract.saveSourceReport>,
): Promise<Answer<typeof contract.saveSourceReport>> {
  const params = reportParams.parse(body);
  const { data, meta } = await reportSources(ctx, { ...params, journeys: false });
  const { csv, checksum } = meta;
  const companyIds =
    params.businessUnitId === null ? null : data.companies.map((company) => company.id);
  // Who sees a part of a company couldn't open it afterwards.
  const seen = companiesSeenWhole(ctx);
  if (companyIds?.some((id) => !seen.includes(id))) fail('role.forbidden');
  const file = await ctx.files.save(
    ctx.tx,
    ctx.companyId,
    {
      name: `report-by-${params.groupBy}-${params.startDate}-${params.endDate}.csv`,
      contentType: 'text/csv; charset=utf-8',
      bytes: Buffer.from(csv),
      purpose: 'report',
      deleteAfter: new Date(ctx.now.getTime() + KEEP_MS),
    },
    ctx.now,
  );
  const row = await insertReport(ctx.tx, {
    company_id: ctx.companyId,
    name,
    params: JSON.stringify(params),
    as_of: ctx.now,
    checksum,
    file_id: file.id,
    number_ids: ctx.numbers === null ? null : [...ctx.numbers],
    company_ids: companyIds,
    created_by: ctx.actor.userId,
    created_at: ctx.now,
  });
  await ctx.publish(sourceReportSaved, { companyId: ctx.companyId, reportId: row.id });
  return { data: present(ctx, row) };
}

/** Saved runs that hold nothing but what the actor sees. */
export async function listSourceReports(
  ctx: TxCtx,
  { page, perPage }: Query<typeof contract.listSourceReports>,
): Promise<PageAnswer<SavedReport>> {
  const { rows, total } = await reportPage(ctx.tx, ctx.companyId, sightOf(ctx), {
    page,
    perPage,
  });
  return { rows: rows.map((row) => present(ctx, row)), total };
}
