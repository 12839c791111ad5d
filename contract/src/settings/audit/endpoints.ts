import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listAuditLog = endpoint<typeof operations.listAuditLog>({
  name: 'listAuditLog',
  method: 'GET',
  path: '/companies/{companyId}/audit-log',
  permission: 'audit.view',
  company: 'path',
});

export const getAuditEntry = endpoint<typeof operations.getAuditEntry>({
  name: 'getAuditEntry',
  method: 'GET',
  path: '/companies/{companyId}/audit-log/{entryId}',
  permission: 'audit.view',
  company: 'path',
});

export const exportAuditLog = endpoint<typeof operations.exportAuditLog>({
  name: 'exportAuditLog',
  method: 'POST',
  path: '/companies/{companyId}/audit-log/export',
  permission: 'audit.view',
  company: 'path',
});
