import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listFavoriteReports = endpoint<typeof operations.listFavoriteReports>({
  name: 'listFavoriteReports',
  method: 'GET',
  path: '/favorite-reports',
  permission: 'favourites.edit',
  company: 'given',
});

export const createFavoriteReport = endpoint<typeof operations.createFavoriteReport>({
  name: 'createFavoriteReport',
  method: 'POST',
  path: '/favorite-reports',
  permission: 'favourites.edit',
  company: 'given',
});

export const updateFavoriteReport = endpoint<typeof operations.updateFavoriteReport>({
  name: 'updateFavoriteReport',
  method: 'PUT',
  path: '/favorite-reports/{id}',
  permission: 'favourites.edit',
  company: 'object',
});

/** By the link in an email, after a click on its page: whoever gets it may have no account. */
export const stopReportMails = endpoint<typeof operations.stopReportMails>({
  name: 'stopReportMails',
  method: 'POST',
  path: '/report-mails/stop',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const deleteFavoriteReport = endpoint<typeof operations.deleteFavoriteReport>({
  name: 'deleteFavoriteReport',
  method: 'DELETE',
  path: '/favorite-reports/{id}',
  permission: 'favourites.edit',
  company: 'object',
});
