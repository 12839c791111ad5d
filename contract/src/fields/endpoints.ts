import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const listFieldEntities = endpoint<typeof operations.listFieldEntities>({
  name: 'listFieldEntities',
  method: 'GET',
  path: '/eavEntityTypes',
  permission: 'fields.view',
  company: 'given',
});

export const listFields = endpoint<typeof operations.listFields>({
  name: 'listFields',
  method: 'GET',
  path: '/eavAttributes',
  permission: 'fields.view',
  company: 'given',
});

export const fieldCountStats = endpoint<typeof operations.fieldCountStats>({
  name: 'fieldCountStats',
  method: 'GET',
  path: '/eavAttributes/{id}/countStats',
  permission: 'fields.view',
  company: 'given',
});

export const fieldHistory = endpoint<typeof operations.fieldHistory>({
  name: 'fieldHistory',
  method: 'GET',
  path: '/eavAttributes/{id}/history',
  permission: 'fields.view',
  company: 'given',
});

export const createField = endpoint<typeof operations.createField>({
  name: 'createField',
  method: 'POST',
  path: '/eavEntityTypes/{type}/eavAttributes',
  permission: 'fields.edit',
  company: 'given',
});

export const updateField = endpoint<typeof operations.updateField>({
  name: 'updateField',
  method: 'PUT',
  path: '/eavEntityTypes/{type}/eavAttributes/{id}',
  permission: 'fields.edit',
  company: 'given',
});

export const deleteField = endpoint<typeof operations.deleteField>({
  name: 'deleteField',
  method: 'DELETE',
  path: '/eavAttributes/{id}',
  permission: 'fields.edit',
  company: 'given',
});

export const listFieldOverrides = endpoint<typeof operations.listFieldOverrides>({
  name: 'listFieldOverrides',
  method: 'GET',
  path: '/eavAttributes/{id}/overrides',
  permission: 'fields.view',
  company: 'given',
});

export const overrideField = endpoint<typeof operations.overrideField>({
  name: 'overrideField',
  method: 'POST',
  path: '/eavAttributes/{id}/overrides',
  permission: 'fields.edit',
  company: 'given',
});

export const deleteFieldOverride = endpoint<typeof operations.deleteFieldOverride>({
  name: 'deleteFieldOverride',
  method: 'DELETE',
  path: '/eavAttributes/{id}/overrides/{overrideId}',
  permission: 'fields.edit',
  company: 'given',
});

export const listTags = endpoint<typeof operations.listTags>({
  name: 'listTags',
  method: 'GET',
  path: '/companies/{companyId}/tags',
  permission: 'tags.view',
  company: 'path',
});

export const createTags = endpoint<typeof operations.createTags>({
  name: 'createTags',
  method: 'POST',
  path: '/companies/{companyId}/tags',
  permission: 'tags.edit',
  company: 'path',
});

export const updateTags = endpoint<typeof operations.updateTags>({
  name: 'updateTags',
  method: 'PUT',
  path: '/companies/{companyId}/tags',
  permission: 'tags.edit',
  company: 'path',
});

export const deleteTags = endpoint<typeof operations.deleteTags>({
  name: 'deleteTags',
  method: 'DELETE',
  path: '/companies/{companyId}/tags',
  permission: 'tags.edit',
  company: 'path',
});
