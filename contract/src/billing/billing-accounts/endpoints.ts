import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

const account = '/admin/billing-accounts/{companyId}';

export const listBillingAccounts = endpoint<typeof operations.listBillingAccounts>({
  name: 'listBillingAccounts',
  method: 'GET',
  path: '/admin/billing-accounts',
  permission: 'platform.operate',
  company: 'none',
});

export const getBillingAccount = endpoint<typeof operations.getBillingAccount>({
  name: 'getBillingAccount',
  method: 'GET',
  path: account,
  permission: 'platform.operate',
  company: 'path',
});

export const recordPayment = endpoint<typeof operations.recordPayment>({
  name: 'recordPayment',
  method: 'POST',
  path: `${account}/payments`,
  permission: 'platform.operate',
  company: 'path',
});

export const creditAccount = endpoint<typeof operations.creditAccount>({
  name: 'creditAccount',
  method: 'POST',
  path: `${account}/credits`,
  permission: 'platform.operate',
  company: 'path',
});

export const refundInvoice = endpoint<typeof operations.refundInvoice>({
  name: 'refundInvoice',
  method: 'POST',
  path: `${account}/refunds`,
  permission: 'platform.operate',
  company: 'path',
});

export const moveBillingClock = endpoint<typeof operations.moveBillingClock>({
  name: 'moveBillingClock',
  method: 'POST',
  path: `${account}/clock`,
  permission: 'platform.operate',
  company: 'path',
});
