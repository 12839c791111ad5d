import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const favoriteReportsChanged = event<typeof payloads.favoriteReportsChanged>({
  name: 'favorite-reports-changed',
  channel: 'companies',
  invalidates: ['listFavoriteReports', 'listReportLinks'],
});
