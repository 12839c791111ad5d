import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listPlatformCompanies = endpoint<typeof operations.listPlatformCompanies>({
  name: 'listPlatformCompanies',
  method: 'GET',
  path: '/admin/companies',
  permission: 'platform.operate',
  company: 'none',
});

export const createPlatformCompany = endpoint<typeof operations.createPlatformCompany>({
  name: 'createPlatformCompany',
  method: 'POST',
  path: '/admin/companies',
  permission: 'platform.operate',
  company: 'none',
});

export const listPlatformPeople = endpoint<typeof operations.listPlatformPeople>({
  name: 'listPlatformPeople',
  method: 'GET',
  path: '/admin/people',
  permission: 'platform.operate',
  company: 'none',
});
