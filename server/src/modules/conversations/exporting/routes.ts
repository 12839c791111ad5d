import { exporting as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { exportItems } from './export-items.ts';
import { exportProgress } from './export-progress.ts';

export const routes = defineRoutes(contract, {
  exportCalls: (ctx, { body }) => exportItems(ctx, 'calls', body),
  exportMessages: (ctx, { body }) => exportItems(ctx, 'messages', body),
  exportVoicemails: (ctx, { body }) => exportItems(ctx, 'voicemails', body),
  exportFaxes: (ctx, { body }) => exportItems(ctx, 'fax', body),
  exportProgress: (ctx, { params }) => exportProgress(ctx, params.batchId),
});
