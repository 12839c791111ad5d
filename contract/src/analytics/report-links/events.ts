import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const reportLinksChanged = event<typeof payloads.reportLinksChanged>({
  name: 'report-links-changed',
  channel: 'companies',
  invalidates: ['listReportLinks'],
});
