import { contacts as contract, groups } from '#contract';
import { defineRoutes, withoutTransaction, mergeRoutes } from '../../platform/routes.ts';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { addVcards, contactVcard } from './add-vcards.ts';
import { runBulkAction } from './bulk/bulk-action.ts';
import { undoBulk } from './bulk/undo-bulk.ts';
import { countContacts } from './count-contacts.ts';
import { createContact } from './create-contact.ts';
import { deleteContact, restoreContact } from './delete-contact.ts';
import { getContact } from './get-contact.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  restoreGroup,
  updateGroup,
} from './groups/save-group.ts';
import { groupById } from './groups/store-groups.ts';
import {
  createContactLabel,
  deleteContactLabel,
  listContactLabels,
  renameContactLabel,
} from './labels/save-label.ts';
import { labelById } from './labels/store-labels.ts';
import { listContacts } from './list-contacts.ts';
import { mergeContacts, previewMerge } from './merge/merge-contacts.ts';
import { undoMerge } from './merge/undo-merge.ts';
import { putContacts } from './bulk-upsert.ts';
import { updateContact } from './update-contact.ts';

/** The ID of a group without a rule. Fails with `group.virtual` for one with a rule. */
async function requireListGroup(ctx: TxCtx, id: number): Promise<number> {
  const group = (await groupById(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (group.rule !== null) fail('group.virtual');
  return id;
}
const requireLabel = async (ctx: TxCtx, id: number): Promise<number> =>
  ((await labelById(ctx.tx, ctx.companyId, id)) ?? notFound()).id;

const contactRoutes = defineRoutes(contract, {
  listContacts: (ctx, { query }) => listContacts(ctx, query),
  getContact: (ctx, { params }) => getContact(ctx, params.contactId),
  createContact: (ctx, { body }) => createContact(ctx, body),
  updateContact: (ctx, { params, body }) => updateContact(ctx, params.contactId, body),
  deleteContact: (ctx, { params }) => deleteContact(ctx, params.contactId),
  restoreContact: (ctx, { params }) => restoreContact(ctx, params.contactId),
  previewMerge: (ctx, { params, query }) => previewMerge(ctx, params.id, query),
  mergeContacts: (ctx, { params, body }) => mergeContacts(ctx, params.id, body),
  undoMerge: (ctx, { params }) => undoMerge(ctx, params.id, params.mergeId),
  countContacts: (ctx, { body }) => countContacts(ctx, body),
  putContacts: (ctx, { body }) => putContacts(ctx, body),
  addVcards: withoutTransaction((ctx, { body }, http) => addVcards(ctx, body, http)),
  contactVcard: (ctx, { params }) => contactVcard(ctx, params.contactId),
  bulkDestroyContacts: (ctx, { body }, http) => runBulkAction(ctx, 'destroy', 0, body, http),
  undoBulkContacts: (ctx, { params }, http) => undoBulk(ctx, params.batchId, http),
});
const groupRoutes = defineRoutes(groups, {
  listGroups: (ctx, { query }) => listGroups(ctx, query),
  createGroup: (ctx, { body }) => createGroup(ctx, body),
  getGroup: (ctx, { params }) => getGroup(ctx, params.id),
  updateGroup: (ctx, { params, body }) => updateGroup(ctx, params.id, body),
  deleteGroup: (ctx, { params }) => deleteGroup(ctx, params.id),
  restoreGroup: (ctx, { params }) => restoreGroup(ctx, params.id),
  addToGroup: async (ctx, { params, body }, http) =>
    runBulkAction(ctx, 'group', await requireListGroup(ctx, params.id), body, http),
  removeFromGroup: async (ctx, { params, body }, http) =>
    runBulkAction(ctx, 'ungroup', await requireListGroup(ctx, params.id), body, http),
  addAllToGroup: async (ctx, { params, body }, http) =>
    runBulkAction(
      ctx,
      'group',
      await requireListGroup(ctx, params.groupId),
      { all: true, filters: body.filters },
      http,
    ),
  listContactLabels: (ctx, { query }) => listContactLabels(ctx, query),
  createContactLabel: (ctx, { body }) => createContactLabel(ctx, body.label),
  renameContactLabel: (ctx, { params, body }) =>
    renameContactLabel(ctx, params.labelId, body.label),
  deleteContactLabel: (ctx, { params }) => deleteContactLabel(ctx, params.labelId),
  bulkAddLabel: async (ctx, { params, body }, http) =>
    runBulkAction(ctx, 'label', await requireLabel(ctx, params.labelId), body, http),
  bulkRemoveLabel: async (ctx, { params, body }, http) =>
    runBulkAction(ctx, 'unlabel', await requireLabel(ctx, params.labelId), body, http),
});
export const routes = mergeRoutes(contactRoutes, groupRoutes);
