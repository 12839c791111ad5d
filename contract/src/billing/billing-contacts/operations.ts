import { z } from 'zod';
import { emailAddress } from '../../email-address.ts';
import { operation } from '../../operation.ts';
import { normalizePhone } from '../../phone.ts';
import { empty, id, instant, one } from '../../schemas.ts';

const inCompany = z.object({ companyId: id });
const ofContact = z.object({ companyId: id, id });
const object = { table: 'billing_contact', param: 'id' };

/** Billing contact (A §3). */
const billingContact = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  fullName: z.string(),
  email: z.string(),
  phone: z.string().nullable().meta({ description: 'E.164' }),
  emailNotifications: z.boolean(),
  smsNotifications: z.boolean(),
  updatedAt: instant,
});

const name = z.string().trim().max(60, 'At most 60 characters.');
const phone = z
  .string()
  .max(40, 'Enter a phone number.')
  .refine((text) => text.trim() === '' || normalizePhone(text) !== null, 'Enter a phone number.')
  .nullable();

const example = {
  id: 3,
  firstName: 'Bea',
  lastName: 'Ledger',
  fullName: 'Bea Ledger',
  email: 'bea@harbor-dental.example',
  phone: '+12125550184',
  emailNotifications: true,
  smsNotifications: false,
  updatedAt: '2026-11-21T09:15:04.000Z',
};

export const listBillingContacts = operation({
  summary: 'List who hears of invoices and payments, by name',
  params: inCompany,
  answer: one(z.array(billingContact)),
  example: { params: { companyId: 1 }, answer: { data: [example] } },
});

export const createBillingContact = operation({
  summary: 'Add someone who hears of invoices and payments',
  params: inCompany,
  body: z.object({
    firstName: name.min(1, 'Enter a first name.'),
    lastName: name.default(''),
    email: emailAddress,
    phone: phone.optional(),
    emailNotifications: z.boolean().default(true),
    smsNotifications: z.boolean().default(false),
  }),
  status: 201,
  errors: ['billing_contact.taken', 'billing_contact.most'],
  answer: one(billingContact),
  example: {
    params: { companyId: 1 },
    body: { firstName: 'Bea', lastName: 'Ledger', email: 'bea@harbor-dental.example' },
    answer: { data: { ...example, phone: null } },
  },
});

export const updateBillingContact = operation({
  summary: 'Change a billing contact; what is left out stays',
  object,
  params: ofContact,
  body: z.object({
    firstName: name.min(1, 'Enter a first name.').optional(),
    lastName: name.optional(),
    email: emailAddress.optional(),
    phone: phone.optional(),
    emailNotifications: z.boolean().optional(),
    smsNotifications: z.boolean().optional(),
  }),
  errors: ['billing_contact.taken'],
  answer: one(billingContact),
  example: {
    params: { companyId: 1, id: 3 },
    body: { emailNotifications: true },
    answer: { data: example },
  },
});

export const deleteBillingContact = operation({
  summary: 'Remove a billing contact',
  object,
  params: ofContact,
  status: 204,
  answer: empty,
  example: { params: { companyId: 1, id: 3 } },
});
