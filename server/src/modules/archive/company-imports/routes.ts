import { companyImports as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import {
  checkCompanyImport,
  deleteCompanyImport,
  getCompanyImport,
  listCompanyImports,
  startCompanyImport,
} from './move-company-import.ts';
import { createCompanyImport, uploadCompanyImportPart } from './upload-company-import.ts';

export const routes = defineRoutes(contract, {
  listCompanyImports: withoutTransaction((ctx) => listCompanyImports(ctx)),
  getCompanyImport: withoutTransaction((ctx, { params }) => getCompanyImport(ctx, params.id)),
  createCompanyImport: withoutTransaction((ctx, { body }) => createCompanyImport(ctx, body)),
  uploadCompanyImportPart: withoutTransaction((ctx, { params, body }, { files }) =>
    uploadCompanyImportPart(ctx, params.id, body, files),
  ),
  checkCompanyImport: withoutTransaction((ctx, { params }) => checkCompanyImport(ctx, params.id)),
  startCompanyImport: withoutTransaction((ctx, { params }) => startCompanyImport(ctx, params.id)),
  deleteCompanyImport: withoutTransaction((ctx, { params }) => deleteCompanyImport(ctx, params.id)),
});
