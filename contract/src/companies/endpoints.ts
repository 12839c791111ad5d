import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

export const getUser = endpoint<typeof operations.getUser>({
  name: 'getUser',
  method: 'GET',
  path: '/user',
  permission: 'session',
  company: 'none',
  skipsSessionCheck: false,
});

export const listRoles = endpoint<typeof operations.listRoles>({
  name: 'listRoles',
  method: 'GET',
  path: '/roles',
  permission: 'session',
  company: 'none',
});

export const checkSignup = endpoint<typeof operations.checkSignup>({
  name: 'checkSignup',
  method: 'GET',
  path: '/client/signup/check',
  permission: 'public',
  company: 'none',
});

export const signup = endpoint<typeof operations.signup>({
  name: 'signup',
  method: 'POST',
  path: '/client/signup',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
});

export const signUpExternally = endpoint<typeof operations.signUpExternally>({
  name: 'signUpExternally',
  method: 'POST',
  path: '/client/signup/external',
  permission: 'public',
  company: 'none',
  skipsSessionCheck: true,
  sendsCookies: true,
});

export const listCompaniesSlim = endpoint<typeof operations.listCompaniesSlim>({
  name: 'listCompaniesSlim',
  method: 'GET',
  path: '/companies/slim',
  permission: 'session',
  company: 'none',
});

export const lookupCompany = endpoint<typeof operations.lookupCompany>({
  name: 'lookupCompany',
  method: 'GET',
  path: '/companies/lookup',
  permission: 'public',
  company: 'none',
});

export const getCompany = endpoint<typeof operations.getCompany>({
  name: 'getCompany',
  method: 'GET',
  path: '/company/{id}',
  permission: 'company.view',
  company: 'path',
});

export const updateCompany = endpoint<typeof operations.updateCompany>({
  name: 'updateCompany',
  method: 'PUT',
  path: '/company/{id}',
  permission: 'company.edit',
  company: 'path',
});

export const createCompany = endpoint<typeof operations.createCompany>({
  name: 'createCompany',
  method: 'POST',
  path: '/companies',
  permission: 'company.create',
  company: 'none',
});

export const deleteCompany = endpoint<typeof operations.deleteCompany>({
  name: 'deleteCompany',
  method: 'DELETE',
  path: '/company/{id}',
  permission: 'company.delete',
  company: 'path',
  confirms: true,
});

export const listCompanyUsers = endpoint<typeof operations.listCompanyUsers>({
  name: 'listCompanyUsers',
  method: 'GET',
  path: '/companies/{companyId}/users',
  permission: 'users.list',
  company: 'path',
});

export const getCompanyUser = endpoint<typeof operations.getCompanyUser>({
  name: 'getCompanyUser',
  method: 'GET',
  path: '/company/{companyId}/user/{userId}',
  permission: 'users.list',
  company: 'path',
});

export const updateCompanyUser = endpoint<typeof operations.updateCompanyUser>({
  name: 'updateCompanyUser',
  method: 'PUT',
  path: '/company/{companyId}/user/{userId}',
  permission: 'users.edit',
  company: 'path',
  confirms: ({ role }) => role === 'administrator' || role === 'deactivated',
});

export const resetUserFactors = endpoint<typeof operations.resetUserFactors>({
  name: 'resetUserFactors',
  method: 'POST',
  path: '/company/{companyId}/user/{userId}/mfa-reset',
  permission: 'users.edit',
  company: 'path',
  confirms: true,
});

export const endUserSessions = endpoint<typeof operations.endUserSessions>({
  name: 'endUserSessions',
  method: 'POST',
  path: '/company/{companyId}/user/{userId}/end-sessions',
  permission: 'users.edit',
  company: 'path',
  confirms: true,
});

export const endCompanySessions = endpoint<typeof operations.endCompanySessions>({
  name: 'endCompanySessions',
  method: 'POST',
  path: '/company/{companyId}/end-sessions',
  permission: 'users.edit',
  company: 'path',
  confirms: true,
});

export const demoPeople = endpoint<typeof operations.demoPeople>({
  name: 'demoPeople',
  method: 'GET',
  path: '/demo/people',
  permission: 'public',
  company: 'none',
});

export const authorizeChannel = endpoint<typeof operations.authorizeChannel>({
  name: 'authorizeChannel',
  method: 'POST',
  path: '/broadcasting/auth',
  permission: 'session',
  company: 'none',
  audience: 'both',
});
