import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getBillingTax = endpoint<typeof operations.getBillingTax>({
  name: 'getBillingTax',
  method: 'GET',
  path: '/admin/billing-tax',
  permission: 'platform.operate',
  company: 'none',
});

export const updateBillingTax = endpoint<typeof operations.updateBillingTax>({
  name: 'updateBillingTax',
  method: 'PUT',
  path: '/admin/billing-tax',
  permission: 'platform.operate',
  company: 'none',
});

export const updateAccountTax = endpoint<typeof operations.updateAccountTax>({
  name: 'updateAccountTax',
  method: 'PUT',
  path: '/admin/billing-accounts/{companyId}/tax',
  permission: 'platform.operate',
  company: 'path',
});
