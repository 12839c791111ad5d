import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** Something about an organization changed. Once for each of its administrators. */
export const organizationChanged = event<typeof payloads.organizationChanged>({
  name: 'organization.changed',
  channel: 'users',
  invalidates: [
    'listOrganizations',
    'getOrganization',
    'listOrganizationCompanies',
    'listOrganizationUsers',
    'getAiEavFeatureStatus',
    'getAlertDigest',
    'getSso',
    'listCompaniesSlim',
    'getUser',
    'getDashboard',
    'analyzeCalls',
  ],
  about: ['userId'],
});

/** A company was parked, deactivated or reactivated. */
export const companyStatusChanged = event<typeof payloads.companyStatusChanged>({
  name: 'company.status_changed',
  channel: 'companies',
  invalidates: [
    'getCompany',
    'listCompaniesSlim',
    'getUser',
    'listConversations',
    'getConversation',
    // An organization’s figures leave out closed companies.
    ...['getDashboard', 'analyzeCalls'],
  ],
});

/** A company was suspended because it hasn’t paid, or works again. */
export const companySuspensionChanged = event<typeof payloads.companySuspensionChanged>({
  name: 'company.suspension_changed',
  channel: 'companies',
  invalidates: [
    'getCompany',
    'listCompaniesSlim',
    'getUser',
    'listConversations',
    'getConversation',
    // An organization’s figures leave out closed companies.
    ...['getDashboard', 'analyzeCalls'],
  ],
});
