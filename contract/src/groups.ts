import { z } from 'zod';
import {
  bulkResult,
  bulkExample,
  contactFilters,
  contactRule,
  systemGroups,
  contactSelection,
} from './contacts.ts';
import {
  companyIn,
  empty,
  endpoint,
  event,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';

/** A §3 Contact group. A virtual one has a rule that is asked each time it is used; `system` ones come with the product. */
export const group = z.object({
  id,
  name: z.string(),
  companyId: id,
  createdAt: instant,
  updatedAt: instant,
  deletedAt: instant.nullable(),
  contactCount: z.number(),
  activeCount: z.number().meta({ description: 'contactCount − invalidCount − unsubscriberCount' }),
  invalidCount: z.number(),
  unsubscriberCount: z.number().meta({ description: 'Unsubscribed, and not invalid' }),
  virtual: z.boolean(),
  rule: contactRule.nullable(),
  system: z.enum(systemGroups).nullable(),
  userId: id.nullable(),
  link: z.string(),
  contactsLink: z.string(),
});
export type Group = z.infer<typeof group>;
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

export const listGroups = endpoint({
  name: 'listGroups',
  method: 'GET',
  path: '/groups',
  summary: 'List contact groups with their counts: built-in groups first, then by name',
  permission: 'contacts.view',
  company: 'given',
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
export const createGroup = endpoint({
  name: 'createGroup',
  method: 'POST',
  path: '/groups',
  summary: 'Create a group; with `virtual` and a rule, its members follow the rule',
  permission: 'contacts.edit',
  company: 'given',
  status: 201,
  refusals: ['group.exists'],
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
export const getGroup = endpoint({
  name: 'getGroup',
  method: 'GET',
  path: '/groups/{id}',
  summary: 'Get one group',
  permission: 'contacts.view',
  company: 'object',
  object,
  params,
  query: z.object({ ...companyIn }),
  answer: one(group),
  example: { params: { id: 301 }, answer: { data: example } },
});
export const updateGroup = endpoint({
  name: 'updateGroup',
  method: 'PATCH',
  path: '/groups/{id}',
  summary: 'Rename a group or change its rule',
  permission: 'contacts.edit',
  company: 'object',
  object,
  etagOf: 'getGroup',
  refusals: ['group.exists', 'group.system', 'group.virtual'],
  params,
  body: z.object({ name: name.optional(), rule: contactRule.optional(), ...companyIn }),
  answer: one(group),
  example: { params: { id: 301 }, body: { name: 'Regulars' }, answer: { data: example } },
});
export const deleteGroup = endpoint({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/groups/{id}',
  summary: 'Delete a group but not its contacts; it can be restored for 30 days',
  permission: 'contacts.edit',
  company: 'object',
  object,
  status: 204,
  refusals: ['group.system'],
  params,
  answer: empty,
  example: { params: { id: 301 } },
});
export const restoreGroup = endpoint({
  name: 'restoreGroup',
  method: 'POST',
  path: '/groups/{id}/restore',
  summary: 'Restore a deleted group with its contacts',
  permission: 'contacts.edit',
  company: 'object',
  object,
  refusals: ['group.exists'],
  params,
  body: z.object({ ...companyIn }),
  answer: one(group),
  example: { params: { id: 301 }, body: {}, answer: { data: example } },
});

const which = { ...contactSelection, ...companyIn };
export const addToGroup = endpoint({
  name: 'addToGroup',
  method: 'POST',
  path: '/groups/{id}/contacts',
  summary: 'Add contacts to a group: selected ones, or all that match the filters',
  permission: 'contacts.edit',
  company: 'object',
  object,
  refusals: ['group.virtual'],
  params,
  body: z.object(which),
  answer: one(bulkResult),
  example: { params: { id: 301 }, body: { contacts: [77] }, answer: bulkExample },
});
export const removeFromGroup = endpoint({
  name: 'removeFromGroup',
  method: 'DELETE',
  path: '/groups/{id}/contacts',
  summary: 'Remove contacts from a group',
  permission: 'contacts.edit',
  company: 'object',
  object,
  refusals: ['group.virtual'],
  params,
  body: z.object(which),
  answer: one(bulkResult),
  example: { params: { id: 301 }, body: { contacts: [77] }, answer: bulkExample },
});
export const addAllToGroup = endpoint({
  name: 'addAllToGroup',
  method: 'POST',
  path: '/groups/{companyId}/{groupId}/all-contacts',
  summary: 'Add every contact that matches the filters to a group',
  permission: 'contacts.edit',
  company: 'path',
  refusals: ['group.virtual'],
  params: z.object({ companyId: id, groupId: id }),
  body: z.object({ filters: contactFilters.optional(), ...companyIn }),
  answer: one(bulkResult),
  example: {
    params: { companyId: 1, groupId: 301 },
    body: { filters: { search: 'dana' } },
    answer: bulkExample,
  },
});

/** A §3 Contact label. */
export const contactLabel = z.object({
  id,
  label: z.string(),
  contactCount: z.number(),
  createdAt: instant,
});
export type ContactLabel = z.infer<typeof contactLabel>;
const labelExample: ContactLabel = { id: 401, label: 'VIP', contactCount: 4, createdAt: at };
const ofCompany = z.object({ companyId: id });
const ofLabel = z.object({ companyId: id, labelId: id });
const label = z.string().trim().min(1, 'Enter a label.').max(60, 'At most 60 characters.');
export const listContactLabels = endpoint({
  name: 'listContactLabels',
  method: 'GET',
  path: '/companies/{companyId}/contactLabels',
  summary: 'List contact labels by name',
  permission: 'contacts.view',
  company: 'path',
  paged: true,
  params: ofCompany,
  query: listQuery(
    { sort: sortBy('label', 'createdAt'), search: z.string().trim().max(60).optional() },
    { perPage: 100 },
  ),
  answer: pageOf(contactLabel),
  example: { params: { companyId: 1 } },
});
export const createContactLabel = endpoint({
  name: 'createContactLabel',
  method: 'POST',
  path: '/companies/{companyId}/contactLabels',
  summary: 'Create a label',
  permission: 'contacts.edit',
  company: 'path',
  status: 201,
  refusals: ['label.exists'],
  params: ofCompany,
  body: z.object({ label, ...companyIn }),
  answer: one(contactLabel),
  example: { params: { companyId: 1 }, body: { label: 'VIP' }, answer: { data: labelExample } },
});
export const renameContactLabel = endpoint({
  name: 'renameContactLabel',
  method: 'PATCH',
  path: '/companies/{companyId}/contactLabels/{labelId}',
  summary: 'Rename a label',
  permission: 'contacts.edit',
  company: 'path',
  refusals: ['label.exists'],
  params: ofLabel,
  body: z.object({ label, ...companyIn }),
  answer: one(contactLabel),
  example: {
    params: { companyId: 1, labelId: 401 },
    body: { label: 'VIP' },
    answer: { data: labelExample },
  },
});
export const deleteContactLabel = endpoint({
  name: 'deleteContactLabel',
  method: 'DELETE',
  path: '/companies/{companyId}/contactLabels/{labelId}',
  summary: 'Delete a label and remove it from every contact',
  permission: 'contacts.edit',
  company: 'path',
  status: 204,
  params: ofLabel,
  answer: empty,
  example: { params: { companyId: 1, labelId: 401 } },
});
export const bulkAddLabel = endpoint({
  name: 'bulkAddLabel',
  method: 'POST',
  path: '/companies/{companyId}/contactLabels/{labelId}/bulkAddLabel',
  summary: 'Label contacts: selected ones, or all that match the filters',
  permission: 'contacts.edit',
  company: 'path',
  params: ofLabel,
  body: z.object(which),
  answer: one(bulkResult),
  example: {
    params: { companyId: 1, labelId: 401 },
    body: { all: true, filters: { search: 'dana' } },
    answer: bulkExample,
  },
});
export const bulkRemoveLabel = endpoint({
  name: 'bulkRemoveLabel',
  method: 'POST',
  path: '/companies/{companyId}/contactLabels/{labelId}/bulkRemoveLabel',
  summary: 'Remove a label from contacts',
  permission: 'contacts.edit',
  company: 'path',
  params: ofLabel,
  body: z.object(which),
  answer: one(bulkResult),
  example: {
    params: { companyId: 1, labelId: 401 },
    body: { contacts: [77] },
    answer: bulkExample,
  },
});

/** A group or label was made, renamed, given another rule, deleted or restored. */
export const contactGroupsChanged = event({
  name: 'contact-groups.changed',
  channel: 'companies',
  touches: [
    'listGroups',
    'getGroup',
    'listContacts',
    'getContact',
    'countContacts',
    'previewMerge',
    'listCampaigns',
    'getCampaign',
    'previewCampaign',
  ],
  data: z.object({ groupId: id, what: z.enum(['added', 'updated', 'deleted', 'restored']) }),
});
export const contactLabelsChanged = event({
  name: 'contact-labels.changed',
  channel: 'companies',
  touches: [
    'listContactLabels',
    'listContacts',
    'getContact',
    'contactVcard',
    'previewMerge',
    'listConversations',
    'getConversation',
  ],
  data: z.object({ labelId: id, what: z.enum(['added', 'updated', 'deleted']) }),
});
