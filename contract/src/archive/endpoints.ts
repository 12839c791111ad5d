import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const startArchive = endpoint<typeof operations.startArchive>({
  name: 'startArchive',
  method: 'POST',
  path: '/company/{companyId}/archive',
  permission: 'company.export',
  company: 'path',
});

export const listArchives = endpoint<typeof operations.listArchives>({
  name: 'listArchives',
  method: 'GET',
  path: '/company/{companyId}/archives',
  permission: 'company.export',
  company: 'path',
});
