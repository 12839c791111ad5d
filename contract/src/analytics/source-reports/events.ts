import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A run of a report was saved with its file. */
export const sourceReportSaved = event<typeof payloads.sourceReportSaved>({
  name: 'source_report.saved',
  channel: 'companies',
  invalidates: ['listSourceReports'],
});

/** A run of a report was deleted with its file. */
export const sourceReportDeleted = event<typeof payloads.sourceReportDeleted>({
  name: 'source_report.deleted',
  channel: 'companies',
  invalidates: ['listSourceReports'],
});
