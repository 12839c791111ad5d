import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const uploadContactImport = endpoint<typeof operations.uploadContactImport>({
  name: 'uploadContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports',
  permission: 'contacts.bulk',
  company: 'path',
  multipart: true,
});

export const listContactImports = endpoint<typeof operations.listContactImports>({
  name: 'listContactImports',
  method: 'GET',
  path: '/companies/{companyId}/contacts/imports',
  permission: 'contacts.bulk',
  company: 'path',
});

export const getContactImport = endpoint<typeof operations.getContactImport>({
  name: 'getContactImport',
  method: 'GET',
  path: '/companies/{companyId}/contacts/imports/{importId}',
  permission: 'contacts.bulk',
  company: 'path',
});

export const checkContactImport = endpoint<typeof operations.checkContactImport>({
  name: 'checkContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports/{importId}/check',
  permission: 'contacts.bulk',
  company: 'path',
});

export const startContactImport = endpoint<typeof operations.startContactImport>({
  name: 'startContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports/{importId}/start',
  permission: 'contacts.bulk',
  company: 'path',
});

export const undoContactImport = endpoint<typeof operations.undoContactImport>({
  name: 'undoContactImport',
  method: 'POST',
  path: '/companies/{companyId}/contacts/imports/{importId}/undo',
  permission: 'contacts.bulk',
  company: 'path',
});

export const contactsProgress = endpoint<typeof operations.contactsProgress>({
  name: 'contactsProgress',
  method: 'GET',
  path: '/companies/{companyId}/contacts/progress/{batchId}',
  permission: 'contacts.bulk',
  company: 'path',
});

export const exportContacts = endpoint<typeof operations.exportContacts>({
  name: 'exportContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/bulkExport',
  permission: 'contacts.bulk',
  company: 'path',
});
