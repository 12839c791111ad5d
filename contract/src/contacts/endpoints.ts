import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const listContacts = endpoint<typeof operations.listContacts>({
  name: 'listContacts',
  method: 'GET',
  path: '/contacts',
  permission: 'contacts.view',
  company: 'given',
  audience: 'both',
});

export const getContact = endpoint<typeof operations.getContact>({
  name: 'getContact',
  method: 'GET',
  path: '/contacts/{contactId}',
  permission: 'contacts.view',
  company: 'object',
  audience: 'both',
});

export const createContact = endpoint<typeof operations.createContact>({
  name: 'createContact',
  method: 'POST',
  path: '/contacts',
  permission: 'contacts.edit',
  company: 'given',
  audience: 'both',
});

export const updateContact = endpoint<typeof operations.updateContact>({
  name: 'updateContact',
  method: 'PATCH',
  path: '/contacts/{contactId}',
  permission: 'contacts.edit',
  company: 'object',
  audience: 'both',
});

export const deleteContact = endpoint<typeof operations.deleteContact>({
  name: 'deleteContact',
  method: 'DELETE',
  path: '/contacts/{contactId}',
  permission: 'contacts.edit',
  company: 'object',
  audience: 'both',
});

export const restoreContact = endpoint<typeof operations.restoreContact>({
  name: 'restoreContact',
  method: 'POST',
  path: '/contacts/{contactId}/restore',
  permission: 'contacts.edit',
  company: 'object',
});

const merging = { permission: 'contacts.edit', company: 'object' } as const;

export const previewMerge = endpoint<typeof operations.previewMerge>({
  name: 'previewMerge',
  method: 'GET',
  path: '/contacts/{id}/merge',
  ...merging,
});

export const mergeContacts = endpoint<typeof operations.mergeContacts>({
  name: 'mergeContacts',
  method: 'POST',
  path: '/contacts/{id}/merge',
  ...merging,
});

export const undoMerge = endpoint<typeof operations.undoMerge>({
  name: 'undoMerge',
  method: 'POST',
  path: '/contacts/{id}/merge/{mergeId}/undo',
  ...merging,
});

export const countContacts = endpoint<typeof operations.countContacts>({
  name: 'countContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/count',
  permission: 'contacts.view',
  company: 'path',
});

export const putContacts = endpoint<typeof operations.putContacts>({
  name: 'putContacts',
  method: 'PUT',
  path: '/companies/{companyId}/contacts',
  permission: 'contacts.bulk',
  company: 'path',
});

export const addVcards = endpoint<typeof operations.addVcards>({
  name: 'addVcards',
  method: 'POST',
  path: '/companies/{companyId}/contacts/vcards',
  permission: 'contacts.bulk',
  company: 'path',
  multipart: true,
});

export const contactVcard = endpoint<typeof operations.contactVcard>({
  name: 'contactVcard',
  method: 'GET',
  path: '/contacts/{contactId}/vcard',
  permission: 'contacts.view',
  company: 'object',
});

export const bulkDestroyContacts = endpoint<typeof operations.bulkDestroyContacts>({
  name: 'bulkDestroyContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/bulkDestroy',
  permission: 'contacts.bulk',
  company: 'path',
});

export const undoBulkContacts = endpoint<typeof operations.undoBulkContacts>({
  name: 'undoBulkContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/bulk/{batchId}/undo',
  permission: 'contacts.edit',
  company: 'path',
});
