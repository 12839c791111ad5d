import { importing as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { notFound } from '../../../platform/errors.ts';
import { checkContactImport } from './check-contact-import.ts';
import { contactsProgress } from './contacts-progress.ts';
import { exportContacts } from './export-contacts.ts';
import { presentImport } from './present.ts';
import { startContactImport } from './start-contact-import.ts';
import { importById, importPage } from './store.ts';
import { undoContactImport } from './undo-contact-import.ts';
import { uploadContactImport } from './upload-contact-import.ts';

export const routes = defineRoutes(contract, {
  uploadContactImport: withoutTransaction((ctx, { body }, http) =>
    uploadContactImport(ctx, http.files, body.encoding),
  ),
  listContactImports: async (t, { query }) => {
    const { rows, total } = await importPage(t.tx, t.companyId, {
      state: query.state,
      limit: query.perPage,
      offset: (query.page - 1) * query.perPage,
    });
    return { rows: rows.map((row) => presentImport(t, row)), total };
  },
  getContactImport: async (t, { params }) => ({
    data: presentImport(t, (await importById(t.tx, t.companyId, params.importId)) ?? notFound()),
  }),
  checkContactImport: withoutTransaction((ctx, { params, body }) =>
    checkContactImport(ctx, params.importId, body),
  ),
  startContactImport: (t, { params, body }) => startContactImport(t, params.importId, body),
  undoContactImport: (t, { params }) => undoContactImport(t, params.importId),
  contactsProgress: (t, { params }) => contactsProgress(t, params.batchId),
  exportContacts: (t, { body }) => exportContacts(t, body),
});
