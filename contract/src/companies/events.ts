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
  ],
});

export const companyUserChanged = event<typeof payloads.companyUserChanged>({
  name: 'company_user.changed',
  channel: 'companies',
  invalidates: ['listCompanyUsers', 'getCompanyUser', 'getCompany', 'getUser'],
});
