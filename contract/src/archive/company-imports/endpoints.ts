import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const staff = { permission: 'platform.operate', company: 'none' } as const;

export const listCompanyImports = endpoint<typeof operations.listCompanyImports>({
  name: 'listCompanyImports',
  method: 'GET',
  path: '/admin/company-imports',
  ...staff,
});

export const createCompanyImport = endpoint<typeof operations.createCompanyImport>({
  name: 'createCompanyImport',
  method: 'POST',
  path: '/admin/company-imports',
  ...staff,
});

export const getCompanyImport = endpoint<typeof operations.getCompanyImport>({
  name: 'getCompanyImport',
  method: 'GET',
  path: '/admin/company-imports/{id}',
  ...staff,
});

/** Parts, so that neither a proxy's limit nor a lost connection stands in the way of a large file. */
export const uploadCompanyImportPart = endpoint<typeof operations.uploadCompanyImportPart>({
  name: 'uploadCompanyImportPart',
  method: 'POST',
  path: '/admin/company-imports/{id}/parts',
  ...staff,
  multipart: true,
});

export const checkCompanyImport = endpoint<typeof operations.checkCompanyImport>({
  name: 'checkCompanyImport',
  method: 'POST',
  path: '/admin/company-imports/{id}/check',
  ...staff,
});

export const startCompanyImport = endpoint<typeof operations.startCompanyImport>({
  name: 'startCompanyImport',
  method: 'POST',
  path: '/admin/company-imports/{id}/import',
  ...staff,
  confirms: true,
});

export const deleteCompanyImport = endpoint<typeof operations.deleteCompanyImport>({
  name: 'deleteCompanyImport',
  method: 'DELETE',
  path: '/admin/company-imports/{id}',
  ...staff,
});
