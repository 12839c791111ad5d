import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const companyChanged = event<typeof payloads.companyChanged>({
  name: 'company.changed',
  channel: 'companies',
  invalidates: [
    'getCompany',
    'listCompaniesSlim',
    'getUser',
    'portLetter',
    'getNumber',
    'listNumbers',
    'listNumbersDatatable',
    // Its settings and its organization decide about these.
    ...['getCampaign', 'listCampaigns', 'listFieldEntities', 'listFields', 'listTags'],
    ...['listCallingUsers', 'listTeammates', 'getGeneralSettings', 'listSettingChanges'],
    ...['getOrganization', 'listOrganizationCompanies', 'listOrganizationUsers'],
    ...['listAlerts', 'getAlert'],
    ...['getAiEavFeatureStatus', 'usageSimple'],
    // An organization’s figures are those of its companies.
    ...['getDashboard', 'analyzeCalls'],
  ],
});

export const companyUserChanged = event<typeof payloads.companyUserChanged>({
  name: 'company_user.changed',
  channel: 'companies',
  invalidates: [
    ...['listCompanyUsers', 'getCompanyUser', 'getCompany', 'getUser', 'listTeams', 'getTeam'],
    // Where their names, or the numbers they answer, are shown.
    ...['listCallingUsers', 'listTeammates', 'getFlow', 'getFlowVersion', 'listFlowVersions'],
    ...['getNumber', 'listNumbers', 'listNumbersDatatable', 'getOwnershipTransfer'],
  ],
});
