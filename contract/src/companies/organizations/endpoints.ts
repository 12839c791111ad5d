import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listOrganizations = endpoint<typeof operations.listOrganizations>({
  name: 'listOrganizations',
  method: 'GET',
  path: '/business-units',
  permission: 'session',
  company: 'none',
});

export const createOrganization = endpoint<typeof operations.createOrganization>({
  name: 'createOrganization',
  method: 'POST',
  path: '/business-units',
  permission: 'organization.create',
  company: 'none',
  confirms: ({ companyIds }) => Boolean(companyIds?.length),
});

export const getOrganization = endpoint<typeof operations.getOrganization>({
  name: 'getOrganization',
  method: 'GET',
  path: '/business-units/{id}',
  permission: 'organization.edit',
  company: 'organization',
});

export const updateOrganization = endpoint<typeof operations.updateOrganization>({
  name: 'updateOrganization',
  method: 'PUT',
  path: '/business-units/{id}',
  permission: 'organization.edit',
  company: 'organization',
});

export const deleteOrganization = endpoint<typeof operations.deleteOrganization>({
  name: 'deleteOrganization',
  method: 'DELETE',
  path: '/business-units/{id}',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const listOrganizationCompanies = endpoint<typeof operations.listOrganizationCompanies>({
  name: 'listOrganizationCompanies',
  method: 'GET',
  path: '/business-units/{id}/companies',
  permission: 'organization.edit',
  company: 'organization',
});

export const attachOrganizationCompany = endpoint<typeof operations.attachOrganizationCompany>({
  name: 'attachOrganizationCompany',
  method: 'POST',
  path: '/business-units/{id}/companies',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

/** The owner's own way out: it works whatever the organization did to the company. */
export const leaveOrganization = endpoint<typeof operations.leaveOrganization>({
  name: 'leaveOrganization',
  method: 'POST',
  path: '/user/companies/{companyId}/leave-organization',
  permission: 'session',
  company: 'none',
  confirms: true,
});

export const detachOrganizationCompany = endpoint<typeof operations.detachOrganizationCompany>({
  name: 'detachOrganizationCompany',
  method: 'DELETE',
  path: '/business-units/{id}/companies/{companyId}',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const updateAccountStatus = endpoint<typeof operations.updateAccountStatus>({
  name: 'updateAccountStatus',
  method: 'PUT',
  path: '/business-units/{id}/status',
  permission: 'organization.edit',
  company: 'organization',
  confirms: ({ dry_run }) => !dry_run,
});

export const listOrganizationUsers = endpoint<typeof operations.listOrganizationUsers>({
  name: 'listOrganizationUsers',
  method: 'GET',
  path: '/business-units/{id}/users',
  permission: 'organization.edit',
  company: 'organization',
});

export const addOrganizationAdmin = endpoint<typeof operations.addOrganizationAdmin>({
  name: 'addOrganizationAdmin',
  method: 'POST',
  path: '/business-units/{id}/admins',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const removeOrganizationAdmin = endpoint<typeof operations.removeOrganizationAdmin>({
  name: 'removeOrganizationAdmin',
  method: 'DELETE',
  path: '/business-units/{id}/admins/{userId}',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});

export const getAiEavFeatureStatus = endpoint<typeof operations.getAiEavFeatureStatus>({
  name: 'getAiEavFeatureStatus',
  method: 'GET',
  path: '/business-units/{id}/ai-eav-feature-status',
  permission: 'organization.edit',
  company: 'organization',
});

export const updateAiEavFeatureStatus = endpoint<typeof operations.updateAiEavFeatureStatus>({
  name: 'updateAiEavFeatureStatus',
  method: 'PUT',
  path: '/business-units/{id}/ai-eav-feature-status',
  permission: 'organization.edit',
  company: 'organization',
});

export const updateUserAccounts = endpoint<typeof operations.updateUserAccounts>({
  name: 'updateUserAccounts',
  method: 'PUT',
  path: '/business-units/{organizationId}/business-unit-users/{userId}/bulk-accounts',
  permission: 'organization.edit',
  company: 'organization',
  confirms: true,
});
