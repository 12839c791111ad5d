import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { bulkExample } from '../examples.ts';
import { bulkResult, contactFilters, contactRule, contactSelection } from '../schemas.ts';
import { contactLabel, type ContactLabel, group, type Group } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: Group = {
  id: 301,
  name: 'Regulars',
  companyId: 1,
  createdAt: at,
  updatedAt: at,
  deletedAt: null,
  contactCount: 12,
  activeCount: 10,
  invalidCount: 1,
  unsubscriberCount: 1,
  virtual: false,
  rule: null,
  system: null,
  userId: 5,
  link: '/api/groups/301',
  contactsLink: '/api/contacts?companyId=1&groupId=301',
};

const object = { table: 'contact_group', param: 'id' };

const params = z.object({ id });

const name = z.string().trim().min(1, 'Enter a group name.').max(80, 'At most 80 characters.');

export const listGroups = operation({
  summary: 'List contact groups with their counts: built-in groups first, then by name',
  paged: true,
  query: listQuery(
    {
      sort: sortBy('usual', 'name', 'createdAt'),
      search: z.string().trim().max(80).optional(),
      virtual: z
        .preprocess(
          (v) => (v === '1' || v === 'true' ? true : v === '0' || v === 'false' ? false : v),
          z.boolean(),
        )
        .optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(group),
  example: { query: { companyId: 1 } },
});

export const createGroup = operation({
  summary: 'Create a group; with `virtual` and a rule, its members follow the rule',
  status: 201,
  errors: ['group.exists'],
  body: z.object({
    name,
    virtual: z.boolean().optional(),
    rule: contactRule.nullish(),
    contacts: z.array(id).max(100_000).optional(),
    ...companyIn,
  }),
  answer: one(group),
  example: { body: { companyId: 1, name: 'Regulars' }, answer: { data: example } },
});

export const getGroup = operation({
  summary: 'Get one group',
  object,
  params,
  query: z.object({ ...companyIn }),
  answer: one(group),
  example: { params: { id: 301 }, answer: { data: example } },
});

export const updateGroup = operation({
  summary: 'Rename a group or change its rule',
  object,
  etagOf: 'getGroup',
  errors: ['group.exists', 'group.system', 'group.virtual'],
  params,
  body: z.object({ name: name.optional(), rule: contactRule.optional(), ...companyIn }),
  answer: one(group),
  example: { params: { id: 301 }, body: { name: 'Regulars' }, answer: { data: example } },
});

export const deleteGroup = operation({
  summary: 'Delete a group but not its contacts; it can be restored for 30 days',
  object,
  status: 204,
  errors: ['group.system'],
  params,
  answer: empty,
  example: { params: { id: 301 } },
});

export const restoreGroup = operation({
  summary: 'Restore a deleted group with its contacts',
  object,
  errors: ['group.exists'],
  params,
  body: z.object({ ...companyIn }),
  answer: one(group),
  example: { params: { id: 301 }, body: {}, answer: { data: example } },
});

const which = { ...contactSelection, ...companyIn };

export const addToGroup = operation({
  summary: 'Add contacts to a group: selected ones, or all that match the filters',
  object,
  errors: ['group.virtual'],
  params,
  body: z.object(which),
  answer: one(bulkResult),
  example: { params: { id: 301 }, body: { contacts: [77] }, answer: bulkExample },
});

export const removeFromGroup = operation({
  summary: 'Remove contacts from a group',
  object,
  errors: ['group.virtual'],
  params,
  body: z.object(which),
  answer: one(bulkResult),
  example: { params: { id: 301 }, body: { contacts: [77] }, answer: bulkExample },
});

export const addAllToGroup = operation({
  summary: 'Add every contact that matches the filters to a group',
  errors: ['group.virtual'],
  params: z.object({ companyId: id, groupId: id }),
  body: z.object({ filters: contactFilters.optional(), ...companyIn }),
  answer: one(bulkResult),
  example: {
    params: { companyId: 1, groupId: 301 },
    body: { filters: { search: 'dana' } },
    answer: bulkExample,
  },
});

const labelExample: ContactLabel = { id: 401, label: 'VIP', contactCount: 4, createdAt: at };

const ofCompany = z.object({ companyId: id });

const ofLabel = z.object({ companyId: id, labelId: id });

const label = z.string().trim().min(1, 'Enter a label.').max(60, 'At most 60 characters.');

export const listContactLabels = operation({
  summary: 'List contact labels by name',
  paged: true,
  params: ofCompany,
  query: listQuery(
    { sort: sortBy('label', 'createdAt'), search: z.string().trim().max(60).optional() },
    { perPage: 100 },
  ),
  answer: pageOf(contactLabel),
  example: { params: { companyId: 1 } },
});

export const createContactLabel = operation({
  summary: 'Create a label',
  status: 201,
  errors: ['label.exists'],
  params: ofCompany,
  body: z.object({ label, ...companyIn }),
  answer: one(contactLabel),
  example: { params: { companyId: 1 }, body: { label: 'VIP' }, answer: { data: labelExample } },
});

export const renameContactLabel = operation({
  summary: 'Rename a label',
  errors: ['label.exists'],
  params: ofLabel,
  body: z.object({ label, ...companyIn }),
  answer: one(contactLabel),
  example: {
    params: { companyId: 1, labelId: 401 },
    body: { label: 'VIP' },
    answer: { data: labelExample },
  },
});

export const deleteContactLabel = operation({
  summary: 'Delete a label and remove it from every contact',
  status: 204,
  params: ofLabel,
  answer: empty,
  example: { params: { companyId: 1, labelId: 401 } },
});

export const bulkAddLabel = operation({
  summary: 'Label contacts: selected ones, or all that match the filters',
  params: ofLabel,
  body: z.object(which),
  answer: one(bulkResult),
  example: {
    params: { companyId: 1, labelId: 401 },
    body: { all: true, filters: { search: 'dana' } },
    answer: bulkExample,
  },
});

export const bulkRemoveLabel = operation({
  summary: 'Remove a label from contacts',
  params: ofLabel,
  body: z.object(which),
  answer: one(bulkResult),
  example: {
    params: { companyId: 1, labelId: 401 },
    body: { contacts: [77] },
    answer: bulkExample,
  },
});
