import { z } from 'zod';
import { companyIn, endpoint, event, id, instant, one } from './kit.ts';

export const genders = ['Male', 'Female', 'Other'] as const;
/** 1-5, then steps of five up to 61-65, then 65+ (A §3). */
export const ageRanges = [...Array.from({ length: 13 }, (_, i) => `${i * 5 + 1}-${i * 5 + 5}`), '65+'];
export const contactTypes = ['Person', 'Business', 'Other'] as const;
export const contactSources = ['Manual', 'Import', 'keyword', 'Migration'] as const;
export const optinTypes = ['text_to_join', 'point_of_sale', 'web_form', 'paper', 'verbal', 'import', 'other'] as const;

/** A §3 Contact. Who may not see personal details gets them masked, never missing. */
export const contact = z.object({
  id, companyId: id, name: z.string(), number: z.string(), companyName: z.string(), title: z.string(), email: z.string(), address1: z.string(), address2: z.string(), city: z.string(), state: z.string(), zip: z.string(), country: z.string(),
  notes: z.string(), optinType: z.enum(optinTypes).nullable(), optinSource: z.string(), alternativeNames: z.array(z.string()), secondaryEmails: z.array(z.string()), carrier: z.string().nullable(),
  gender: z.enum(genders).nullable(), ageRange: z.string().nullable(), type: z.enum(contactTypes), source: z.enum(contactSources), addedAt: instant, updatedAt: instant,
  invalid: z.boolean(), unsubscribed: z.boolean(), isUnsubscribed: z.boolean(), groups: z.array(z.object({ id, name: z.string() })), labels: z.array(z.object({ id, label: z.string() })), eavAttributeValues: z.array(z.unknown()), masked: z.boolean(),
});
export type Contact = z.infer<typeof contact>;
/** As others show it beside what they own. */
export const contactBrief = z.object({ id, name: z.string(), number: z.string(), email: z.string(), companyName: z.string(), isUnsubscribed: z.boolean() });

const at = '2026-11-21T09:15:04.000Z';
export const contactExample: Contact = {
  id: 77, companyId: 1, name: 'Dana Reed', number: '+12125550147', companyName: '', title: '', email: 'dana@example.com', address1: '', address2: '', city: 'New York', state: 'NY', zip: '', country: 'US', notes: 'Prefers mornings.', optinType: null, optinSource: '',
  alternativeNames: [], secondaryEmails: [], carrier: null, gender: null, ageRange: null, type: 'Person', source: 'Manual', addedAt: at, updatedAt: at, invalid: false, unsubscribed: false, isUnsubscribed: false, groups: [], labels: [], eavAttributeValues: [], masked: false,
};
const ofContact = { table: 'contact', param: 'contactId' };
const contactId = z.object({ contactId: id });

export const getContact = endpoint({
  name: 'getContact', method: 'GET', path: '/contacts/{contactId}', summary: 'One contact', permission: 'contacts.view', company: 'object', object: ofContact,
  params: contactId, query: z.object({ include: z.string().max(100).optional().meta({ description: 'labels, groups, eavAttributeValues; all are always there' }), ...companyIn }), answer: one(contact), example: { params: { contactId: 77 }, answer: { data: contactExample } },
});

const short = (max: number) => z.string().trim().max(max, `At most ${max} characters.`);
export const updateContact = endpoint({
  name: 'updateContact', method: 'PATCH', path: '/contacts/{contactId}', summary: 'Change a contact; what is left out stays', permission: 'contacts.edit', company: 'object', object: ofContact, etagOf: 'getContact', refusals: ['contact.exists'],
  params: contactId,
  body: z.object({
    name: short(120).optional(), number: short(40).optional(), companyName: short(120).optional(), title: short(120).optional(), email: z.union([z.literal(''), z.email('Enter an e-mail address.').max(254)]).optional(), address1: short(200).optional(), address2: short(200).optional(), city: short(120).optional(), state: short(60).optional(), zip: short(20).optional(), country: short(60).optional(),
    notes: short(5000).optional(), optinType: z.enum(optinTypes).nullable().optional(), optinSource: short(300).optional(), alternativeNames: z.array(short(120)).max(20).optional(), secondaryEmails: z.array(z.email('Enter an e-mail address.').max(254)).max(20).optional(),
    gender: z.enum(genders).nullable().optional(), ageRange: z.string().refine((v) => ageRanges.includes(v), 'Choose an age range.').nullable().optional(), type: z.enum(contactTypes).optional(), ...companyIn,
  }),
  answer: one(contact), example: { params: { contactId: 77 }, body: { name: 'Dana Reed', notes: 'Prefers mornings.' }, answer: { data: contactExample } },
});

/** A contact was made or changed; `added` tells which. */
export const contactChanged = event({
  name: 'contact.changed', channel: 'companies', touches: ['getContact', 'listConversations', 'getConversation', 'listActivity', 'listInboxItems', 'getCall'],
  data: z.object({ contactId: id, name: z.string(), number: z.string(), added: z.boolean(), changed: z.array(z.string()) }),
});
