import { fieldUpdates as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { listFieldUpdates } from './list-field-updates.ts';
import {
  listOrganizationFieldUpdates,
  undoOrganizationFieldUpdate,
} from './organization-field-updates.ts';
import { undoFieldUpdate } from './undo-field-update.ts';
import { uploadFieldUpdate } from './upload-field-update.ts';
import { uploadOrganizationFieldUpdate } from './upload-organization-field-update.ts';

export const routes = defineRoutes(contract, {
  uploadFieldUpdate: withoutTransaction((ctx, { body }, http) =>
    uploadFieldUpdate(ctx, body, http.files),
  ),
  listFieldUpdates: (t, { query }) => listFieldUpdates(t, query),
  undoFieldUpdate: (t, { params }) => undoFieldUpdate(t, params.updateId),
  uploadOrganizationFieldUpdate: withoutTransaction((ctx, { body }, http) =>
    uploadOrganizationFieldUpdate(ctx, body, http.files),
  ),
  listOrganizationFieldUpdates: withoutTransaction((ctx, { query }) =>
    listOrganizationFieldUpdates(ctx, query),
  ),
  undoOrganizationFieldUpdate: withoutTransaction((ctx, { params }) =>
    undoOrganizationFieldUpdate(ctx, params.updateId),
  ),
});
