import { z } from 'zod';
import {
  ageRanges,
  maxBulkAtOnce,
  contactSorts,
  contactSources,
  contactStates,
  contactTypes,
  genders,
  optinTypes,
  visibleText,
} from './contact-rules.ts';
import {
  companyIn,
  empty,
  endpoint,
  event,
  flag,
  id,
  including,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';

import { normalizePhone } from './phone.ts';

export * from './contact-rules.ts';

/** A custom field's value as a contact carries it (A23); its meaning stands with the custom fields. */
export const customValue = z.looseObject({ attribute_id: id, key: z.string(), value: z.unknown() });

/** A §3 Contact. Who may not see personal details gets them masked, never missing. */
export const contact = z.object({
  id,
  companyId: id,
  name: z.string(),
  number: z.string(),
  companyName: z.string(),
  title: z.string(),
  email: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  country: z.string(),
  notes: z.string(),
  optinType: z.enum(optinTypes).nullable(),
  optinSource: z.string(),
  alternativeNames: z.array(z.string()),
  secondaryEmails: z.array(z.string()),
  otherNumbers: z
    .array(z.string())
    .meta({ description: 'Numbers of contacts merged into this one' }),
  carrier: z.string().nullable(),
  gender: z.enum(genders).nullable(),
  ageRange: z.string().nullable(),
  type: z.enum(contactTypes),
  source: z.enum(contactSources),
  addedAt: instant,
  updatedAt: instant,
  deletedAt: instant.nullable(),
  invalid: z.boolean(),
  unsubscribed: z.boolean(),
  isUnsubscribed: z.boolean(),
  groups: z.array(z.object({ id, name: z.string() })),
  labels: z.array(z.object({ id, label: z.string() })),
  eavAttributeValues: z.array(customValue),
  masked: z.boolean(),
});
export type Contact = z.infer<typeof contact>;
/** As others show it beside what they own. */
export const contactBrief = z.object({
  id,
  name: z.string(),
  number: z.string(),
  email: z.string(),
  companyName: z.string(),
  isUnsubscribed: z.boolean(),
});

const at = '2026-11-21T09:15:04.000Z';
export const contactExample: Contact = {
  id: 77,
  companyId: 1,
  name: 'Dana Reed',
  number: '+12125550147',
  companyName: '',
  title: '',
  email: 'dana@example.com',
  address1: '',
  address2: '',
  city: 'New York',
  state: 'NY',
  zip: '',
  country: 'US',
  notes: 'Prefers mornings.',
  optinType: null,
  optinSource: '',
  alternativeNames: [],
  secondaryEmails: [],
  otherNumbers: [],
  carrier: null,
  gender: null,
  ageRange: null,
  type: 'Person',
  source: 'Manual',
  addedAt: at,
  updatedAt: at,
  deletedAt: null,
  invalid: false,
  unsubscribed: false,
  isUnsubscribed: false,
  groups: [],
  labels: [],
  eavAttributeValues: [],
  masked: false,
};
const ofContact = { table: 'contact', param: 'contactId' };
const contactId = z.object({ contactId: id });
const include = including('labels', 'groups', 'eavAttributeValues');
const given = z.object({ include, ...companyIn });
const inCompany = z.object({ companyId: id });
export const batchExample = '0199a8f0-0000-7000-8000-000000000001';

// ---- whom -----------------------------------------------------------------------------------------------------------

/** A virtual group's rule (A11): every line must hold. `custom:<attribute id>` asks a custom field. */
export const contactRule = z.object({
  all: z
    .array(
      z.object({
        field: z.string().max(60),
        op: z.string().max(30),
        value: z
          .union([
            z.string().max(300),
            z.number(),
            z.boolean(),
            z.array(z.string().max(300)).max(100),
          ])
          .nullable()
          .optional(),
      }),
    )
    .max(20, 'At most 20 conditions.'),
});
export type ContactRule = z.infer<typeof contactRule>;
const filterShape = {
  search: z.string().trim().max(120).optional(),
  groupId: id.optional(),
  labelId: id.optional(),
  state: z.enum(contactStates).optional(),
  source: z.enum(contactSources).optional(),
  type: z.enum(contactTypes).optional(),
  addedAfter: instant.optional(),
  addedBefore: instant.optional(),
  rule: contactRule.optional(),
  eav: z
    .record(z.string().max(60), z.unknown())
    .optional()
    .meta({ description: 'Custom fields by key or ID, such as {"deal_value":"100.."}' }),
};
/** The filters of the list; virtual groups, bulk calls and exports read them the same way. */
export const contactFilters = z.object(filterShape);
export type ContactFilters = z.infer<typeof contactFilters>;
/** A §5: a list of contacts, or all plus filters. */
export const contactSelection = {
  contacts: z.array(id).max(100_000).optional(),
  all: flag.optional(),
  filters: contactFilters.optional(),
};
/** `batchId` undoes it, for thirty days; beyond a thousand it runs as a job and `changed` grows. */
export const bulkResult = z.object({
  batchId: z.uuid(),
  status: z.enum(['finished', 'queued']),
  total: z.number(),
  changed: z.number(),
});
export const bulkExample = {
  data: { batchId: batchExample, status: 'finished' as const, total: 3, changed: 3 },
};

// ---- the list and one of it -----------------------------------------------------------------------------------------

export const listContacts = endpoint({
  name: 'listContacts',
  method: 'GET',
  path: '/contacts',
  summary:
    'List contacts, newest first. Above 1,000 the total of a filtered list is capped and marked as capped; use countContacts for the exact figure',
  permission: 'contacts.view',
  company: 'given',
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
export const getContact = endpoint({
  name: 'getContact',
  method: 'GET',
  path: '/contacts/{contactId}',
  summary: 'Get one contact',
  permission: 'contacts.view',
  company: 'object',
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
export const createContact = endpoint({
  name: 'createContact',
  method: 'POST',
  path: '/contacts',
  summary:
    'Create a contact. If a contact has this number already, the response is 409 with its ID',
  permission: 'contacts.edit',
  company: 'given',
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
export const updateContact = endpoint({
  name: 'updateContact',
  method: 'PATCH',
  path: '/contacts/{contactId}',
  summary: 'Update a contact; fields left out stay unchanged',
  permission: 'contacts.edit',
  company: 'object',
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
export const deleteContact = endpoint({
  name: 'deleteContact',
  method: 'DELETE',
  path: '/contacts/{contactId}',
  summary:
    'Delete a contact; it can be restored for 30 days. Opt-outs and blocks of its number stay',
  permission: 'contacts.edit',
  company: 'object',
  object: ofContact,
  status: 204,
  params: contactId,
  answer: empty,
  example: { params: { contactId: 77 } },
});
export const restoreContact = endpoint({
  name: 'restoreContact',
  method: 'POST',
  path: '/contacts/{contactId}/restore',
  summary: 'Restore a deleted contact with its groups and labels',
  permission: 'contacts.edit',
  company: 'object',
  object: ofContact,
  refusals: ['contact.exists', 'contact.merged'],
  params: contactId,
  body: z.object({ ...companyIn }),
  answer: one(contact),
  example: { params: { contactId: 77 }, body: {}, answer: { data: contactExample } },
});

// ---- two become one -------------------------------------------------------------------------------------------------

const side = z.enum(['this', 'with']);
const choose = z.record(z.string().max(40), side).meta({
  description:
    'Field → which value to keep: `this` or `with`. Left out: this one’s, unless it’s empty',
});
const merging = {
  permission: 'contacts.edit',
  company: 'object',
  object: { table: 'contact', param: 'id' },
} as const;
export const previewMerge = endpoint({
  name: 'previewMerge',
  method: 'GET',
  path: '/contacts/{id}/merge',
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
export const mergeContacts = endpoint({
  name: 'mergeContacts',
  method: 'POST',
  path: '/contacts/{id}/merge',
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
export const undoMerge = endpoint({
  name: 'undoMerge',
  method: 'POST',
  path: '/contacts/{id}/merge/{mergeId}/undo',
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

// ---- many -----------------------------------------------------------------------------------------------------------

export const countContacts = endpoint({
  name: 'countContacts',
  method: 'POST',
  reads: true,
  path: '/companies/{companyId}/contacts/count',
  summary: 'Count the contacts that match these filters or this rule, exactly',
  permission: 'contacts.view',
  company: 'path',
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
export const putContacts = endpoint({
  name: 'putContacts',
  method: 'PUT',
  path: '/companies/{companyId}/contacts',
  summary:
    'Create or update many contacts: a number that has a contact updates it, any other creates one. All of them join `group`',
  permission: 'contacts.bulk',
  company: 'path',
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
export const addVcards = endpoint({
  name: 'addVcards',
  method: 'POST',
  path: '/companies/{companyId}/contacts/vcards',
  summary: 'Import vCards (multipart field `file`, up to 1,000 cards), like putContacts',
  permission: 'contacts.bulk',
  company: 'path',
  params: inCompany,
  multipart: true,
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
export const contactVcard = endpoint({
  name: 'contactVcard',
  method: 'GET',
  path: '/contacts/{contactId}/vcard',
  summary: 'Get a contact as a vCard 3.0',
  permission: 'contacts.view',
  company: 'object',
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
export const bulkDestroyContacts = endpoint({
  name: 'bulkDestroyContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/bulkDestroy',
  summary: 'Delete selected contacts, or all that match the filters. Can be undone for 30 days',
  permission: 'contacts.bulk',
  company: 'path',
  params: inCompany,
  body: z.object({ ...contactSelection, ...companyIn }),
  answer: one(bulkResult),
  example: { params: { companyId: 1 }, body: { contacts: [77] }, answer: bulkExample },
});
export const undoBulkContacts = endpoint({
  name: 'undoBulkContacts',
  method: 'POST',
  path: '/companies/{companyId}/contacts/bulk/{batchId}/undo',
  summary: 'Undo a bulk action on contacts',
  permission: 'contacts.edit',
  company: 'path',
  refusals: ['bulk.running', 'bulk.undone', 'role.forbidden'],
  params: z.object({ companyId: id, batchId: z.uuid() }),
  body: z.object({ ...companyIn }),
  answer: one(bulkResult),
  example: { params: { companyId: 1, batchId: batchExample }, body: {}, answer: bulkExample },
});

// ---- said aloud -----------------------------------------------------------------------------------------------------

const everywhere = [
  'getContact',
  'contactVcard',
  'listContacts',
  'contactTimeline',
  'listBlocks',
  'listConversations',
  'getConversation',
  'listActivity',
  'listInboxItems',
  'getCall',
  'getCompany',
  'listCampaignEvents',
  'getCampaign',
  'previewCampaign',
];
const lists = [
  ...everywhere,
  'countContacts',
  'previewMerge',
  'listGroups',
  'getGroup',
  'listContactLabels',
];
/** A contact was made or changed; `added` tells which. */
export const contactChanged = event({
  name: 'contact.changed',
  channel: 'companies',
  touches: lists,
  data: z.object({
    contactId: id,
    name: z.string(),
    number: z.string(),
    added: z.boolean(),
    changed: z.array(z.string()),
  }),
});
/** Many contacts changed at once, or some were deleted, restored or sorted into groups: screens look again. */
export const contactsChanged = event({
  name: 'contacts.changed',
  channel: 'companies',
  touches: lists,
  data: z.object({
    what: z.enum([
      'added',
      'updated',
      'deleted',
      'restored',
      'grouped',
      'ungrouped',
      'labelled',
      'unlabelled',
      'merged',
      'unmerged',
    ]),
    count: z.number(),
    contactId: id.optional(),
    batchId: z.uuid().optional(),
  }),
});
/** A number called or texted us for the first time that day: rules that ask when are asked anew. */
export const contactActivityRecorded = event({
  name: 'contact.heard',
  channel: 'companies',
  touches: ['listGroups', 'getGroup', 'countContacts', 'listContacts'],
  data: z.object({ companyId: id }),
});
const bulkProgress = z.object({
  batchId: z.uuid(),
  progress: z.number(),
  processed: z.number(),
  total: z.number(),
  failed: z.number(),
});
/** A bulk action on more than a thousand goes on, and ends. */
export const contactsBulkProgressed = event({
  name: 'contacts-bulk-progress',
  channel: 'companies',
  data: bulkProgress,
  touches: ['contactsProgress'],
});
export const contactsBulkCompleted = event({
  name: 'contacts-bulk-completed',
  channel: 'companies',
  data: bulkProgress,
  touches: ['contactsProgress'],
});
/** These numbers belong to these contacts from now on: made or restored by the thousand, or moved by a merge and its undo. */
export const contactNumbersLinked = event({
  name: 'contacts.have',
  channel: null,
  data: z.object({ rows: z.array(z.object({ contactId: id, number: z.string() })).max(2000) }),
});
