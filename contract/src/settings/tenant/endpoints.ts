import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const domainPath = '/companies/{companyId}/custom-domain-configuration';

export const getTenant = endpoint<typeof operations.getTenant>({
  name: 'getTenant',
  method: 'GET',
  path: '/companies/{companyId}/tenant',
  permission: 'organization.edit',
  company: 'path',
});

export const updateTenantInformation = endpoint<typeof operations.updateTenantInformation>({
  name: 'updateTenantInformation',
  method: 'PUT',
  path: '/companies/{companyId}/tenant/tenant-information',
  permission: 'organization.edit',
  company: 'path',
});

export const startSenderVerification = endpoint<typeof operations.startSenderVerification>({
  name: 'startSenderVerification',
  method: 'POST',
  path: '/companies/{companyId}/tenant/email-sender/start-verification',
  permission: 'organization.edit',
  company: 'path',
  confirms: true,
});

export const getTenantConfig = endpoint<typeof operations.getTenantConfig>({
  name: 'getTenantConfig',
  method: 'GET',
  path: '/tenant-config',
  permission: 'public',
  company: 'none',
});

export const checkCustomDomain = endpoint<typeof operations.checkCustomDomain>({
  name: 'checkCustomDomain',
  method: 'GET',
  path: `${domainPath}/tld-validation`,
  permission: 'organization.edit',
  company: 'path',
});

export const getCustomDomain = endpoint<typeof operations.getCustomDomain>({
  name: 'getCustomDomain',
  method: 'GET',
  path: domainPath,
  permission: 'organization.edit',
  company: 'path',
});

export const setCustomDomain = endpoint<typeof operations.setCustomDomain>({
  name: 'setCustomDomain',
  method: 'POST',
  path: domainPath,
  permission: 'organization.edit',
  company: 'path',
  confirms: true,
});

export const tlsAllowed = endpoint<typeof operations.tlsAllowed>({
  name: 'tlsAllowed',
  method: 'GET',
  path: '/tls-allowed',
  permission: 'public',
  company: 'none',
});
