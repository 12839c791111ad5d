import { billing, billingAccounts, billingContacts, billingTax, subscription } from '#contract';
import { defineRoutes, mergeRoutes, readOnly, withoutTransaction } from '../../platform/routes.ts';
import { cardSecurityToken, companyBilling } from './company-billing.ts';
import {
  createBillingContact,
  deleteBillingContact,
  listBillingContacts,
  updateBillingContact,
} from './contacts/contacts.ts';
import { invoicePdf } from './invoices/invoice-pdf.ts';
import { listInvoices } from './invoices/list-invoices.ts';
import { getBillingAccount, listBillingAccounts } from './operator/accounts.ts';
import { creditAccount, moveBillingClock, recordPayment } from './operator/change-account.ts';
import { refundInvoice } from './operator/refund-invoice.ts';
import { retryPayment } from './payments/retry-payment.ts';
import { findOrCreateYearlyOffer, getYearlyOffer, updateYearlyOffer } from './offers/offers.ts';
import {
  cancelSubscription,
  clearCancel,
  revertPendingChange,
} from './plan/cancel-subscription.ts';
import { migrateSubscription } from './plan/migrate-subscription.ts';
import { previewMigration } from './plan/preview-migration.ts';
import { getSubscription, listPlans, updateSubscription } from './subscription.ts';
import { getBillingTax, updateAccountTax, updateBillingTax } from './tax/change-tax.ts';
import { usageComponents, usageSimple } from './usage/read-usage.ts';
import { updateCompanyBilling } from './update-company-billing.ts';

export const routes = mergeRoutes(
  defineRoutes(billing, {
    companyBilling: readOnly((t) => companyBilling(t)),
    updateCompanyBilling: withoutTransaction((ctx, { body }) => updateCompanyBilling(ctx, body)),
    retryPayment: withoutTransaction((ctx, { body }) => retryPayment(ctx, body)),
    cardSecurityToken: withoutTransaction((ctx, { query }) => cardSecurityToken(ctx, query)),
  }),
  defineRoutes(subscription, {
    getSubscription: readOnly((t) => getSubscription(t)),
    updateSubscription: (t, { body }) => updateSubscription(t, body),
    listPlans: readOnly((t) => listPlans(t)),
    migrateSubscription: withoutTransaction((ctx, { body }) =>
      migrateSubscription(ctx, body.identifier),
    ),
    previewMigration: (t, { body }) => previewMigration(t, body.identifier),
    cancelSubscription: (t, { body }) => cancelSubscription(t, body),
    clearCancel: (t) => clearCancel(t),
    revertPendingProductChange: (t) => revertPendingChange(t),
    getYearlyOffer: readOnly((t) => getYearlyOffer(t)),
    findOrCreateYearlyOffer: (t) => findOrCreateYearlyOffer(t),
    updateYearlyOffer: (t, { params, body }) => updateYearlyOffer(t, params.offerId, body),
    usageComponents: readOnly((t) => usageComponents(t)),
    usageSimple: readOnly((t) => usageSimple(t)),
    listInvoices: readOnly((t, { query }) => listInvoices(t, query)),
    invoicePdf: withoutTransaction((ctx, { params }, http) => invoicePdf(ctx, params.id, http)),
  }),
  defineRoutes(billingAccounts, {
    listBillingAccounts: withoutTransaction((ctx, { query }) => listBillingAccounts(ctx, query)),
    getBillingAccount: readOnly((t) => getBillingAccount(t)),
    recordPayment: (t, { body }) => recordPayment(t, body),
    creditAccount: (t, { body }) => creditAccount(t, body),
    refundInvoice: withoutTransaction((ctx, { body }) => refundInvoice(ctx, body)),
    moveBillingClock: withoutTransaction((ctx, { body }) => moveBillingClock(ctx, body)),
  }),
  defineRoutes(billingTax, {
    getBillingTax: withoutTransaction((ctx) => getBillingTax(ctx)),
    updateBillingTax: withoutTransaction((ctx, { body }) => updateBillingTax(ctx, body)),
    updateAccountTax: (t, { body }) => updateAccountTax(t, body),
  }),
  defineRoutes(billingContacts, {
    listBillingContacts: readOnly((t) => listBillingContacts(t)),
    createBillingContact: (t, { body }) => createBillingContact(t, body),
    updateBillingContact: (t, { params, body }) => updateBillingContact(t, params.id, body),
    deleteBillingContact: (t, { params }) => deleteBillingContact(t, params.id),
  }),
);
