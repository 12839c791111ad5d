import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const listBillingContacts = endpoint<typeof operations.listBillingContacts>({
  name: 'listBillingContacts',
  method: 'GET',
  path: '/company/{companyId}/billing-contacts',
  permission: 'billingContacts.view',
  company: 'path',
});

export const createBillingContact = endpoint<typeof operations.createBillingContact>({
  name: 'createBillingContact',
  method: 'POST',
  path: '/company/{companyId}/billing-contacts',
  permission: 'billingContacts.edit',
  company: 'path',
});

export const updateBillingContact = endpoint<typeof operations.updateBillingContact>({
  name: 'updateBillingContact',
  method: 'PUT',
  path: '/company/{companyId}/billing-contacts/{id}',
  permission: 'billingContacts.edit',
  company: 'path',
});

export const deleteBillingContact = endpoint<typeof operations.deleteBillingContact>({
  name: 'deleteBillingContact',
  method: 'DELETE',
  path: '/company/{companyId}/billing-contacts/{id}',
  permission: 'billingContacts.edit',
  company: 'path',
});
