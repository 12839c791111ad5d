import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const startArchive = endpoint<typeof operations.startArchive>({
  name: 'startArchive',
  method: 'POST',
  path: '/company/{companyId}/archive',
  permission: 'company.export',
  company: 'path',
  // Asks for the password in its body.
  confirms: 'own',
});

export const listArchives = endpoint<typeof operations.listArchives>({
  name: 'listArchives',
  method: 'GET',
  path: '/company/{companyId}/archives',
  permission: 'company.export',
  company: 'path',
});

export const deleteArchive = endpoint<typeof operations.deleteArchive>({
  name: 'deleteArchive',
  method: 'DELETE',
  path: '/company/{companyId}/archives/{archiveId}',
  permission: 'company.export',
  company: 'path',
});

export const listExports = endpoint<typeof operations.listExports>({
  name: 'listExports',
  method: 'GET',
  path: '/companies/{companyId}/exports',
  permission: 'session',
  company: 'path',
});

export const getExport = endpoint<typeof operations.getExport>({
  name: 'getExport',
  method: 'GET',
  path: '/companies/{companyId}/exports/{fileId}',
  permission: 'session',
  company: 'path',
});

export const downloadExport = endpoint<typeof operations.downloadExport>({
  name: 'downloadExport',
  method: 'GET',
  path: '/companies/{companyId}/exports/{fileId}/file',
  permission: 'session',
  company: 'path',
});

export const deleteExport = endpoint<typeof operations.deleteExport>({
  name: 'deleteExport',
  method: 'DELETE',
  path: '/companies/{companyId}/exports/{fileId}',
  permission: 'session',
  company: 'path',
});
