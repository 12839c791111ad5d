import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const uploadFieldUpdate = endpoint<typeof operations.uploadFieldUpdate>({
  name: 'uploadFieldUpdate',
  method: 'POST',
  path: '/bulkAttributeUpdate/companies/{companyId}',
  permission: 'fields.edit',
  company: 'path',
  multipart: true,
});

export const listFieldUpdates = endpoint<typeof operations.listFieldUpdates>({
  name: 'listFieldUpdates',
  method: 'GET',
  path: '/bulkAttributeUpdate/companies/{companyId}',
  permission: 'fields.edit',
  company: 'path',
});

export const undoFieldUpdate = endpoint<typeof operations.undoFieldUpdate>({
  name: 'undoFieldUpdate',
  method: 'POST',
  path: '/bulkAttributeUpdate/companies/{companyId}/{updateId}/undo',
  permission: 'fields.edit',
  company: 'path',
});

export const uploadOrganizationFieldUpdate = endpoint<
  typeof operations.uploadOrganizationFieldUpdate
>({
  name: 'uploadOrganizationFieldUpdate',
  method: 'POST',
  path: '/bulkAttributeUpdate/businessUnits/{id}',
  permission: 'organization.edit',
  company: 'organization',
  multipart: true,
});

export const listOrganizationFieldUpdates = endpoint<
  typeof operations.listOrganizationFieldUpdates
>({
  name: 'listOrganizationFieldUpdates',
  method: 'GET',
  path: '/bulkAttributeUpdate/businessUnits/{id}',
  permission: 'organization.edit',
  company: 'organization',
});

export const undoOrganizationFieldUpdate = endpoint<typeof operations.undoOrganizationFieldUpdate>({
  name: 'undoOrganizationFieldUpdate',
  method: 'POST',
  path: '/bulkAttributeUpdate/businessUnits/{id}/{updateId}/undo',
  permission: 'organization.edit',
  company: 'organization',
});
