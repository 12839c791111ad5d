import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const auditRecorded = event<typeof payloads.auditRecorded>({
  name: 'audit.recorded',
  channel: 'companies',
  invalidates: ['listAuditLog'],
});
