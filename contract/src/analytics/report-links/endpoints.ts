import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listReportLinks = endpoint<typeof operations.listReportLinks>({
  name: 'listReportLinks',
  method: 'GET',
  path: '/report-links',
  permission: 'favourites.edit',
  company: 'given',
});

/** Figures leave the company like in a file. */
export const createReportLink = endpoint<typeof operations.createReportLink>({
  name: 'createReportLink',
  method: 'POST',
  path: '/report-links',
  permission: 'exports.make',
  company: 'given',
});

/** Not bound to exporting: someone who lost that can still close what they opened. */
export const withdrawReportLink = endpoint<typeof operations.withdrawReportLink>({
  name: 'withdrawReportLink',
  method: 'DELETE',
  path: '/report-links/{id}',
  permission: 'favourites.edit',
  company: 'object',
});

/** The token is in the body, because addresses are logged. */
export const openReportLink = endpoint<typeof operations.openReportLink>({
  name: 'openReportLink',
  method: 'POST',
  path: '/report-links/open',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});
