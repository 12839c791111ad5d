import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const companyBilling = endpoint<typeof operations.companyBilling>({
  name: 'companyBilling',
  method: 'GET',
  path: '/company/{companyId}/billing',
  permission: 'billing.view',
  company: 'path',
  audience: 'both',
});

export const updateCompanyBilling = endpoint<typeof operations.updateCompanyBilling>({
  name: 'updateCompanyBilling',
  method: 'POST',
  path: '/company/{companyId}/billing',
  permission: 'billing.pay',
  company: 'path',
  audience: 'both',
});

export const retryPayment = endpoint<typeof operations.retryPayment>({
  name: 'retryPayment',
  method: 'POST',
  path: '/company/{companyId}/billing/retry',
  permission: 'billing.pay',
  company: 'path',
  audience: 'both',
});

export const cardSecurityToken = endpoint<typeof operations.cardSecurityToken>({
  name: 'cardSecurityToken',
  method: 'GET',
  path: '/chargify/security-token',
  permission: 'billing.pay',
  company: 'given',
  audience: 'both',
});
