import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, one } from '../../schemas.ts';
import { batchExample, bulkExample } from '../examples.ts';
import { maxBulkAtOnce } from '../rules.ts';
import { bulkResult, contact, contactFilters, contactSelection } from '../schemas.ts';
import { ofContact, contactId, details } from './shared.ts';

const inCompany = z.object({ companyId: id });

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

/**
 * One contact of a bulk write. Invalid values are reported per row; an unknown field refuses the
 * whole request.
 */
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
  errors: ['vcard.unreadable'],
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
  errors: ['role.forbidden'],
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
  summary:
    'Delete selected contacts, or all that match the filters but those under legal hold. Can be undone for 30 days',
  errors: ['hold.keeps_some'],
  params: inCompany,
  body: z.object({ ...contactSelection, ...companyIn }),
  answer: one(bulkResult),
  example: { params: { companyId: 1 }, body: { contacts: [77] }, answer: bulkExample },
});

export const undoBulkContacts = operation({
  summary: 'Undo a bulk action on contacts',
  errors: ['bulk.running', 'bulk.undone', 'role.forbidden'],
  params: z.object({ companyId: id, batchId: z.uuid() }),
  body: z.object({ ...companyIn }),
  answer: one(bulkResult),
  example: { params: { companyId: 1, batchId: batchExample }, body: {}, answer: bulkExample },
});
