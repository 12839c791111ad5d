import { z } from 'zod';
import { operation } from '../../operation.ts';
import {
  companyIn,
  empty,
  flag,
  including,
  listQuery,
  one,
  pageOf,
  sortBy,
} from '../../schemas.ts';
import { contactExample } from '../examples.ts';
import { contactSorts, contactSources } from '../rules.ts';
import { contact, contactFilters, filterShape } from '../schemas.ts';
import { ofContact, contactId, short, details, phoneNumber } from './shared.ts';

const include = including('labels', 'groups', 'eavAttributeValues');

const given = z.object({ include, ...companyIn });

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

export const createContact = operation({
  summary:
    'Create a contact. If a contact has this number already, the response is 409 with its ID',
  status: 201,
  errors: ['contact.exists'],
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
  errors: ['contact.exists'],
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
  errors: ['hold.keeps'],
  params: contactId,
  answer: empty,
  example: { params: { contactId: 77 } },
});

export const restoreContact = operation({
  summary: 'Restore a deleted contact with its groups and labels',
  object: ofContact,
  errors: ['contact.exists', 'contact.merged'],
  params: contactId,
  body: z.object({ ...companyIn }),
  answer: one(contact),
  example: { params: { contactId: 77 }, body: {}, answer: { data: contactExample } },
});
