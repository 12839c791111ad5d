import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listCompanyFeatures = endpoint<typeof operations.listCompanyFeatures>({
  name: 'listCompanyFeatures',
  method: 'GET',
  path: '/company/{companyId}/features',
  permission: 'company.view',
  company: 'path',
});

export const setCompanyFeature = endpoint<typeof operations.setCompanyFeature>({
  name: 'setCompanyFeature',
  method: 'POST',
  path: '/company/{companyId}/feature/{featureName}',
  permission: 'features.edit',
  company: 'path',
});

export const listOrganizationFeatures = endpoint<typeof operations.listOrganizationFeatures>({
  name: 'listOrganizationFeatures',
  method: 'GET',
  path: '/business-units/{organizationId}/features',
  permission: 'organization.edit',
  company: 'organization',
});

export const setOrganizationFeature = endpoint<typeof operations.setOrganizationFeature>({
  name: 'setOrganizationFeature',
  method: 'POST',
  path: '/business-units/{organizationId}/feature/{featureName}',
  permission: 'organization.edit',
  company: 'organization',
});
