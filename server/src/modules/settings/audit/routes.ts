import { audit as contract } from '#contract';
import { defineRoutes, readOnly } from '../../../platform/routes.ts';
import { exportAuditLog } from './export-audit-log.ts';
import { getAuditEntry, listAuditLog } from './list-audit-log.ts';

export const routes = defineRoutes(contract, {
  listAuditLog: readOnly((ctx, { query }) => listAuditLog(ctx, query)),
  getAuditEntry: (ctx, { params }) => getAuditEntry(ctx, params.entryId),
  exportAuditLog: (ctx, { body }) => exportAuditLog(ctx, body),
});
