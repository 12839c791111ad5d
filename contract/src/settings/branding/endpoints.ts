import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const setCompanyBranding = endpoint<typeof operations.setCompanyBranding>({
  name: 'setCompanyBranding',
  method: 'POST',
  path: '/company/{id}/branding',
  permission: 'company.brand',
  company: 'path',
  multipart: true,
});

export const setOrganizationBranding = endpoint<typeof operations.setOrganizationBranding>({
  name: 'setOrganizationBranding',
  method: 'POST',
  path: '/business-units/{id}/branding',
  permission: 'organization.edit',
  company: 'organization',
  multipart: true,
});

/** Before anyone signs in: the logo of a sign-in page. */
export const getBrandingPicture = endpoint<typeof operations.getBrandingPicture>({
  name: 'getBrandingPicture',
  method: 'GET',
  path: '/branding/{token}',
  permission: 'public',
  company: 'none',
});
