import {
  analytics,
  callAnalytics,
  dashboard,
  favorites,
  reportLinks,
  sourceReports,
} from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import type { Module } from '../../platform/module.ts';
import { defineRoutes, mergeRoutes, readOnly, withoutTransaction } from '../../platform/routes.ts';
import { waiting } from '../conversations/index.ts';
import { callKpi } from './call-kpi.ts';
import { getDashboard } from './dashboard/get-dashboard.ts';
import {
  createFavorite,
  deleteFavorite,
  listFavorites,
  updateFavorite,
} from './favorites/favorites.ts';
import { jobs } from './jobs.ts';
import { analyzeCalls } from './query/analyze-calls.ts';
import { stopReportMails } from './report-mails/stop-mails.ts';
import { retention } from './retention.ts';
import { createReportLink, listReportLinks, withdrawReportLink } from './report-links/links.ts';
import { openReportLink } from './report-links/open-link.ts';
import { deleteReport } from './source-reports/delete-report.ts';
import { reportSources } from './source-reports/report-sources.ts';
import { listSourceReports, saveReport } from './source-reports/save-report.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(
    defineRoutes(analytics, {
      callKpi: readOnly((ctx, { body }) => callKpi(ctx, body)),
      getWaiting: readOnly(async (ctx) => ({ data: await waiting(ctx) })),
    }),
    defineRoutes(callAnalytics, {
      // A file is queued; what is only read may come from a replica.
      analyzeCalls: withoutTransaction((ctx, { query }) => {
        const answer = (t: TxCtx) => analyzeCalls(t, query);
        return query.format === 'json' ? ctx.readOnly(answer) : ctx.transaction(answer);
      }),
    }),
    defineRoutes(dashboard, {
      getDashboard: readOnly((ctx, { body }) => getDashboard(ctx, body)),
    }),
    defineRoutes(favorites, {
      listFavoriteReports: (ctx) => listFavorites(ctx),
      createFavoriteReport: (ctx, { body }) => createFavorite(ctx, body),
      updateFavoriteReport: (ctx, { params, body }) => updateFavorite(ctx, params.id, body),
      stopReportMails: withoutTransaction((ctx, { body }) => stopReportMails(ctx, body.token)),
      deleteFavoriteReport: (ctx, { params }) => deleteFavorite(ctx, params.id),
    }),
    defineRoutes(reportLinks, {
      listReportLinks: (ctx, { query }) => listReportLinks(ctx, query.favorite_id),
      createReportLink: (ctx, { body }) => createReportLink(ctx, body),
      withdrawReportLink: (ctx, { params }) => withdrawReportLink(ctx, params.id),
      openReportLink: withoutTransaction((ctx, { body }, { reply }) =>
        openReportLink(ctx, body.token, reply),
      ),
    }),
    defineRoutes(sourceReports, {
      reportSources: readOnly((ctx, { body }) => reportSources(ctx, body)),
      saveSourceReport: (ctx, { body }) => saveReport(ctx, body),
      deleteSourceReport: withoutTransaction((ctx, { params }) =>
        deleteReport(ctx, params.reportId),
      ),
      listSourceReports: readOnly((ctx, { query }) => listSourceReports(ctx, query)),
    }),
  ),
  jobs,
  retention,
};
