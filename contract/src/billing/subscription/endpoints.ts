import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const getSubscription = endpoint<typeof operations.getSubscription>({
  name: 'getSubscription',
  method: 'GET',
  path: '/company/{companyId}/subscription',
  permission: 'billing.view',
  company: 'path',
  audience: 'both',
});

export const updateSubscription = endpoint<typeof operations.updateSubscription>({
  name: 'updateSubscription',
  method: 'PUT',
  path: '/company/{companyId}/subscription',
  permission: 'billing.plan',
  company: 'path',
  audience: 'both',
});

export const listPlans = endpoint<typeof operations.listPlans>({
  name: 'listPlans',
  method: 'GET',
  path: '/company/{companyId}/subscription/plans',
  permission: 'billing.view',
  company: 'path',
  audience: 'both',
});

export const migrateSubscription = endpoint<typeof operations.migrateSubscription>({
  name: 'migrateSubscription',
  method: 'POST',
  path: '/company/{companyId}/subscription/migrate',
  permission: 'billing.plan',
  company: 'path',
  audience: 'both',
});

export const previewMigration = endpoint<typeof operations.previewMigration>({
  name: 'previewMigration',
  method: 'POST',
  path: '/company/{companyId}/subscription/migrate/preview',
  permission: 'billing.plan',
  company: 'path',
  audience: 'both',
});

export const cancelSubscription = endpoint<typeof operations.cancelSubscription>({
  name: 'cancelSubscription',
  method: 'POST',
  path: '/company/{companyId}/subscription/cancel',
  permission: 'billing.plan',
  company: 'path',
  audience: 'both',
});

export const clearCancel = endpoint<typeof operations.clearCancel>({
  name: 'clearCancel',
  method: 'POST',
  path: '/company/{companyId}/subscription/cancel/clear',
  permission: 'billing.plan',
  company: 'path',
  audience: 'both',
});

export const revertPendingProductChange = endpoint<typeof operations.revertPendingProductChange>({
  name: 'revertPendingProductChange',
  method: 'POST',
  path: '/company/{companyId}/subscription/revert-pending-product-change',
  permission: 'billing.plan',
  company: 'path',
  audience: 'both',
});

export const getYearlyOffer = endpoint<typeof operations.getYearlyOffer>({
  name: 'getYearlyOffer',
  method: 'GET',
  path: '/company/{companyId}/yearly-upgrade-offers',
  permission: 'billing.plan',
  company: 'path',
});

export const findOrCreateYearlyOffer = endpoint<typeof operations.findOrCreateYearlyOffer>({
  name: 'findOrCreateYearlyOffer',
  method: 'POST',
  path: '/company/{companyId}/yearly-upgrade-offers',
  permission: 'billing.plan',
  company: 'path',
});

export const updateYearlyOffer = endpoint<typeof operations.updateYearlyOffer>({
  name: 'updateYearlyOffer',
  method: 'PUT',
  path: '/company/{companyId}/yearly-upgrade-offers/{offerId}',
  permission: 'billing.plan',
  company: 'path',
});

export const usageComponents = endpoint<typeof operations.usageComponents>({
  name: 'usageComponents',
  method: 'GET',
  path: '/company/{companyId}/subscription/usage/components',
  permission: 'billing.view',
  company: 'path',
});

export const usageSimple = endpoint<typeof operations.usageSimple>({
  name: 'usageSimple',
  method: 'GET',
  path: '/company/{companyId}/subscription/usage/simple',
  permission: 'billing.view',
  company: 'path',
  audience: 'both',
});

export const listInvoices = endpoint<typeof operations.listInvoices>({
  name: 'listInvoices',
  method: 'GET',
  path: '/company/{companyId}/invoices',
  permission: 'billing.view',
  company: 'path',
  audience: 'both',
});

export const invoicePdf = endpoint<typeof operations.invoicePdf>({
  name: 'invoicePdf',
  method: 'GET',
  path: '/company/{companyId}/invoices/{id}/pdf',
  permission: 'billing.view',
  company: 'path',
  audience: 'both',
});
