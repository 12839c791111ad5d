import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const reportSources = endpoint<typeof operations.reportSources>({
  name: 'reportSources',
  method: 'POST',
  path: '/dni/reports/calls',
  permission: 'analytics.view',
  company: 'given',
});

export const saveSourceReport = endpoint<typeof operations.saveSourceReport>({
  name: 'saveSourceReport',
  method: 'POST',
  path: '/dni/reports',
  permission: 'analytics.view',
  company: 'given',
});

export const deleteSourceReport = endpoint<typeof operations.deleteSourceReport>({
  name: 'deleteSourceReport',
  method: 'DELETE',
  path: '/dni/reports/{reportId}',
  permission: 'analytics.view',
  company: 'object',
});

export const listSourceReports = endpoint<typeof operations.listSourceReports>({
  name: 'listSourceReports',
  method: 'GET',
  path: '/dni/reports',
  permission: 'analytics.view',
  company: 'given',
});
