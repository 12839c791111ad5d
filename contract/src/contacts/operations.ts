import { z } from 'zod';
import { operation } from '../operation.ts';
import { normalizePhone } from '../phone.ts';
import {
  companyIn,
  empty,
  flag,
  id,
  including,
  listQuery,
  one,
  pageOf,
  sortBy,
} from '../schemas.ts';
import { batchExample, bulkExample, contactExample } from './examples.ts';
import {
  ageRanges,
  contactSorts,
  contactSources,
  contactTypes,
  genders,
  maxBulkAtOnce,
  optinTypes,
  visibleText,
} from './rules.ts';
import { bulkResult, contact, contactFilters, contactSelection, filterShape } from './schemas.ts';

const ofContact = { table: 'contact', param: 'contactId' };

const contactId = z.object({ contactId: id });

const include = including('labels', 'groups', 'eavAttributeValues');

const given = z.object({ include, ...companyIn });

const inCompany = z.object({ companyId: id });

export const listContacts = operation({
  summary:
    'List contacts, newest first. Above 1,000 the total of a filtered list is capped and marked as capped; use countContacts for the exact figure',
  paged: true,
  query: listQuery(
    {
      ...filterShape,
      sort: sortBy(...contactSorts),
      filters: contactFilters.optional(),
      withTrashed: flag.optional().meta({
        description: 'Only deleted contacts, most recently deleted first (administrators)',
      }),
      include,
    },
    { perPage: 25 },
  ),
  answer: pageOf(contact),
  example: { query: { companyId: 1, search: 'dana' } },
});

export const getContact = operation({
  summary: 'Get one contact',
  object: ofContact,
  params: contactId,
  query: given,
  answer: one(contact),
  example: { params: { contactId: 77 }, answer: { data: contactExample } },
});

const short = (max: number) =>
  z.string().overwrite(visibleText).max(max, `At most ${max} characters.`);

const email = z.string().overwrite(visibleText).pipe(z.email('Enter an email address.').max(254));

const details = {
  name: short(120).optional(),
  companyName: short(120).optional(),
  title: short(120).optional(),
  email: z.union([z.literal(''), email]).optional(),
  address1: short(200).optional(),
  address2: short(200).optional(),
  city: short(120).optional(),
  state: short(60).optional(),
  zip: short(20).optional(),
  country: short(60).optional(),
  notes: short(5000).optional(),
  optinType: z.enum(optinTypes).nullable().optional(),
  optinSource: short(300).optional(),
  alternativeNames: z.array(short(120)).max(20).optional(),
  secondaryEmails: z.array(email).max(20).optional(),
  gender: z.enum(genders).nullable().optional(),
  ageRange: z
    .string()
    .refine((v) => ageRanges.includes(v), 'Choose an age range.')
    .nullable()
    .optional(),
  type: z.enum(contactTypes).optional(),
  carrier: short(80).nullable().optional(),
  groups: z.array(id).max(100).optional().meta({
    description: 'The groups it belongs to after the update; virtual groups follow their rule',
  }),
  labels: z.array(id).max(100).optional(),
  eavAttributeValues: z
    .array(
      z.looseObject({
        attribute_id: id.optional(),
        key: z.string().max(60).optional(),
        value: z.unknown(),
      }),
    )
    .max(200)
    .optional(),
};

const phoneNumber = z
  .string()
  .max(200, 'Enter a phone number.')
  .refine((text) => normalizePhone(text) !== null, 'Enter a phone number.');

export const createContact = operation({
  summary:
    'Create a contact. If a contact has this number already, the response is 409 with its ID',
  status: 201,
  refusals: ['contact.exists'],
  query: given,
  body: z.object({
    ...details,
    number: phoneNumber,
    source: z.enum(contactSources).optional(),
    ...companyIn,
  }),
  answer: one(contact),
  example: {
    body: { companyId: 1, name: 'Dana Reed', number: '(212) 555-0147', email: 'dana@example.com' },
    answer: { data: contactExample },
  },
});

export const updateContact = operation({
  summary: 'Update a contact; fields left out stay unchanged',
  object: ofContact,
  etagOf: 'getContact',
  refusals: ['contact.exists'],
  params: contactId,
  query: given,
  body: z.object({
    ...details,
    number: phoneNumber.optional(),
    is_unsubscribed: flag.optional().meta({
      description:
        'true: no more texts to any of their numbers; false: they asked to be texted again. Kept by number, with who recorded it and when',
    }),
    unsubscribeNote: short(500)
      .optional()
      .meta({ description: 'The reason, or how they asked; shown in their history' }),
    ...companyIn,
  }),
  answer: one(contact),
  example: {
    params: { contactId: 77 },
    body: { name: 'Dana Reed', notes: 'Prefers mornings.' },
    answer: { data: contactExample },
  },
});

export const deleteContact = operation({
  summary:
    'Delete a contact; it can be restored for 30 days. Opt-outs and blocks of its number stay',
  object: ofContact,
  status: 204,
  params: contactId,
  answer: empty,
  example: { params: { contactId: 77 } },
});

export const restoreContact = operation({
  summary: 'Restore a deleted contact with its groups and labels',
  object: ofContact,
  refusals: ['contact.exists', 'contact.merged'],
  params: contactId,
  body: z.object({ ...companyIn }),
  answer: one(contact),
  example: { params: { contactId: 77 }, body: {}, answer: { data: contactExample } },
});

const side = z.enum(['this', 'with']);

const choose = z.record(z.string().max(40), side).meta({
  description:
    'Field → which value to keep: `this` or `with`. Left out: this one’s, unless it’s empty',
});

const merging = { object: { table: 'contact', param: 'id' } } as const;

export const previewMerge = operation({
  summary: 'Preview the result of merging two contacts',
  ...merging,
  refusals: ['contact.merge_self'],
  params: z.object({ id }),
  query: z.object({ with: id, choose: choose.optional(), ...companyIn }),
  answer: one(
    z.object({
      this: contact,
      with: contact,
      merged: contact,
      differing: z.array(z.string()),
      optedOut: z
        .array(z.string())
        .meta({ description: 'Which of the two numbers opted out; each stays opted out' }),
    }),
  ),
  example: { params: { id: 77 }, query: { with: 78 } },
});

export const mergeContacts = operation({
  summary:
    'Merge another contact into this one, with its groups, labels, names, emails, numbers and conversations. Can be undone for 30 days',
  ...merging,
  refusals: ['contact.merge_self'],
  params: z.object({ id }),
  body: z.object({ with: id, choose: choose.optional(), ...companyIn }),
  answer: one(z.object({ mergeId: id, contact })),
  example: {
    params: { id: 77 },
    body: { with: 78, choose: { name: 'with' } },
    answer: { data: { mergeId: 5, contact: contactExample } },
  },
});

export const undoMerge = operation({
  summary: 'Undo a merge. Changes made by hand since then stay',
  ...merging,
  refusals: ['contact.merge_undone', 'contact.merge_old', 'contact.exists'],
  params: z.object({ id, mergeId: id }),
  body: z.object({ ...companyIn }),
  answer: one(z.object({ contact, other: contact })),
  example: {
    params: { id: 77, mergeId: 5 },
    body: {},
    answer: {
      data: {
        contact: contactExample,
        other: { ...contactExample, id: 78, number: '+12125550148' },
      },
    },
  },
});

export const countContacts = operation({
  reads: true,
  summary: 'Count the contacts that match these filters or this rule, exactly',
  params: inCompany,
  body: z.object({ filters: contactFilters.default({}), ...companyIn }),
  answer: one(
    z.object({
      total: z.number(),
      active: z.number(),
      invalid: z.number(),
      unsubscribed: z.number(),
    }),
  ),
  example: {
    params: { companyId: 1 },
    body: { filters: { rule: { all: [{ field: 'city', op: 'is', value: 'New York' }] } } },
    answer: { data: { total: 12, active: 10, invalid: 1, unsubscribed: 1 } },
  },
});

const writtenRow = z.object({ row: z.number(), field: z.string(), message: z.string() });

const written = one(
  z.object({
    batchId: z.uuid(),
    status: z.enum(['finished', 'queued']),
    total: z.number(),
    created: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    errors: z.array(writtenRow),
  }),
);

/** A contact as a row: values are read row by row and answered so, but a field that a contact doesn't have refuses the request. */
const writtenContact = z.object({
  ...(Object.fromEntries(
    [...Object.keys(contact.shape), ...Object.keys(details)].map((key) => [
      key,
      z.unknown().optional(),
    ]),
  ) as Record<keyof typeof details, z.ZodOptional<z.ZodUnknown>>),
  number: z.union([z.string(), z.number()]).optional(),
  name: z.string().optional(),
});

export const putContacts = operation({
  summary:
    'Create or update many contacts: a number that has a contact updates it, any other creates one. All of them join `group`',
  params: inCompany,
  body: z.object({
    contacts: z
      .array(writtenContact)
      .min(1, 'Send at least one contact.')
      .max(
        maxBulkAtOnce,
        `Send at most ${maxBulkAtOnce} contacts at once. Import a file for more.`,
      ),
    group: z.union([id, z.object({ id })]).nullish(),
    ...companyIn,
  }),
  answer: written,
  example: {
    params: { companyId: 1 },
    body: { contacts: [{ name: 'Dana Reed', number: '(212) 555-0147' }] },
    answer: {
      data: {
        batchId: batchExample,
        status: 'finished',
        total: 1,
        created: 0,
        updated: 1,
        unchanged: 0,
        errors: [],
      },
    },
  },
});

export const addVcards = operation({
  summary: 'Import vCards (multipart field `file`, up to 1,000 cards), like putContacts',
  params: inCompany,
  refusals: ['vcard.unreadable'],
  body: z.object({
    group: id.optional(),
    vcard: z
      .string()
      .max(5_000_000)
      .optional()
      .meta({ description: 'The cards as text, instead of a file' }),
    ...companyIn,
  }),
  answer: written,
  example: {
    params: { companyId: 1 },
    body: { vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Dana Reed\nTEL:+12125550147\nEND:VCARD' },
    answer: {
      data: {
        batchId: batchExample,
        status: 'finished',
        total: 1,
        created: 1,
        updated: 0,
        unchanged: 0,
        errors: [],
      },
    },
  },
});

export const contactVcard = operation({
  summary: 'Get a contact as a vCard 3.0',
  object: ofContact,
  refusals: ['role.forbidden'],
  params: contactId,
  answer: one(z.object({ name: z.string().meta({ description: 'File name' }), vcard: z.string() })),
  example: {
    params: { contactId: 77 },
    answer: {
      data: {
        name: 'Dana Reed.vcf',
        vcard: 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Dana Reed\r\nEND:VCARD',
      },
    },
  },
});

export const bulkDestroyContacts = operation({
  summary: 'Delete selected contacts, or all that match the filters. Can be undone for 30 days',
  params: inCompany,
  body: z.object({ ...contactSelection, ...companyIn }),
  answer: one(bulkResult),
  example: { params: { companyId: 1 }, body: { contacts: [77] }, answer: bulkExample },
});

export const undoBulkContacts = operation({
  summary: 'Undo a bulk action on contacts',
  refusals: ['bulk.running', 'bulk.undone', 'role.forbidden'],
  params: z.object({ companyId: id, batchId: z.uuid() }),
  body: z.object({ ...companyIn }),
  answer: one(bulkResult),
  example: { params: { companyId: 1, batchId: batchExample }, body: {}, answer: bulkExample },
});
