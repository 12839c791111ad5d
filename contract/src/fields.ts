import { z } from 'zod';
import { entityTypes, fieldTypes, type FieldChoice, type FieldValueType } from './field-rules.ts';
import {
  companyIn,
  empty,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';

/** Custom fields (eav attributes, decisions A23) and the company's tags (A25). Module: fields. What needs no shape stands in field-rules.ts. */
export * from './field-rules.ts';

const plain = z.union([z.string(), z.number(), z.boolean()]) as z.ZodType<FieldValueType>;
const entityTypeId = z.number().int().min(1).max(7).meta({
  description: '1 Number, 2 Company, 3 TrackingPool, 4 Organization, 5 User, 6 Call, 7 Contact',
});

/** A value as it is shown. `label` is ours: the value in words (a choice's words, Yes or No). */
export const fieldValue = z.object({
  attribute_id: id,
  key: z.string(),
  value: plain.meta({
    description: 'boolean; date YYYY-MM-DD; enum: the choice’s ID; number; phone E.164; text',
  }),
  label: z.string(),
  reason: z.string().optional(),
  source: z
    .enum(['user', 'ai', 'import', 'api', 'default'])
    .meta({ description: 'default: the object has no value and shows the field’s default' }),
  confidence: z.number().optional(),
  updated_at: instant.nullable(),
  updated_by: id.nullable(),
});
export type FieldValue = z.infer<typeof fieldValue>;
/** A value as it is sent: the field by id or key, blank or null to take it away. An enum also by its words. */
export const fieldValueIn = z.object({
  attribute_id: id.optional(),
  eav_attribute_id: id.optional(),
  key: z.string().max(60).optional(),
  value: z.unknown(),
  reason: z.string().max(2000).nullish(),
  confidence: z.number().min(0).max(1).nullish(),
});
export const fieldValuesIn = z.array(fieldValueIn).max(500);
/** On a list: `{ deal_value: "100..", stage: "3,5" }`, by key or id; blank ones are dropped. */
export const eavFilter = z.record(z.string().max(60), z.unknown()).optional().meta({
  description:
    'Custom fields by key or ID. number and date: 10, 10..20, 10.., ..20; enum: choice IDs separated by commas; boolean: true; text: words it contains; keyword: how it starts; any: is:set, is:empty',
});

const choice = z.object({
  id,
  value: z.string(),
  sort_order: z.number(),
  description: z.string(),
}) as z.ZodType<FieldChoice>;
export const field = z.object({
  id,
  entity_type_id: entityTypeId,
  key: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.enum(fieldTypes),
  choices: z.array(choice),
  defaultValue: plain.nullable(),
  is_required: z.boolean(),
  is_unique: z.boolean(),
  is_visible_in_list: z.boolean(),
  is_filterable: z.boolean(),
  ai: z.object({
    enabled: z.boolean(),
    prompt: z.string(),
    allow_null: z.boolean(),
    with_reason: z.boolean(),
  }),
  scope: z.union([z.object({ company_id: id }), z.object({ organization_id: id })]),
  overriding: z.object({ attribute_id: id, override_id: id }).nullable().meta({
    description: 'This company’s choices, default or description override the organization’s',
  }),
  created_at: instant,
  updated_at: instant,
});
export type Field = z.infer<typeof field>;

const at = '2026-11-21T09:15:04.000Z';
const choices = [
  { id: 501, value: 'New', sort_order: 1, description: '' },
  { id: 502, value: 'Won', sort_order: 2, description: 'Signed' },
];
const fieldExample: Field = {
  id: 41,
  entity_type_id: 6,
  key: 'stage',
  name: 'Stage',
  description: 'The stage of the deal',
  type: 'enum',
  choices,
  defaultValue: null,
  is_required: false,
  is_unique: false,
  is_visible_in_list: true,
  is_filterable: true,
  ai: { enabled: false, prompt: '', allow_null: true, with_reason: true },
  scope: { company_id: 1 },
  overriding: null,
  created_at: at,
  updated_at: at,
};
const anId = { params: { id: 41 } };
/** A field of the company, or its organization's. */
const ofAnyField = { table: 'field', param: 'id', shared: 'organization_field' };
const ofField = z.object({ id });

export const listFieldEntities = endpoint({
  name: 'listFieldEntities',
  method: 'GET',
  path: '/eavEntityTypes',
  summary: 'List the record types that can have custom fields, and how many fields each has',
  permission: 'fields.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({
        id: entityTypeId,
        key: z.string(),
        label: z.string(),
        attribute_count: z.number(),
      }),
    ),
  }),
  example: {
    answer: { data: entityTypes.map((e) => ({ ...e, attribute_count: e.id === 6 ? 1 : 0 })) },
  },
});
export const listFields = endpoint({
  name: 'listFields',
  method: 'GET',
  path: '/eavAttributes',
  summary:
    'List the custom fields of a company and its organization, in the order they were created',
  permission: 'fields.view',
  company: 'given',
  query: z.object({
    entityType: z.string().max(30).optional().meta({ description: 'ID or key: 6 or call' }),
    search: z.string().trim().max(100).optional(),
    ...companyIn,
  }),
  answer: z.object({ data: z.array(field) }),
  example: { query: { entityType: 'call' }, answer: { data: [fieldExample] } },
});
export const fieldCountStats = endpoint({
  name: 'fieldCountStats',
  method: 'GET',
  path: '/eavAttributes/{id}/countStats',
  summary: 'Count the objects that have their own value, by choice',
  permission: 'fields.view',
  company: 'given',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({ total: z.number(), filled: z.number(), byChoice: z.record(z.string(), z.number()) }),
  ),
  example: { ...anId, answer: { data: { total: 140, filled: 12, byChoice: { 501: 9, 502: 3 } } } },
});
export const fieldHistory = endpoint({
  name: 'fieldHistory',
  method: 'GET',
  path: '/eavAttributes/{id}/history',
  summary: 'List the changes to a custom field, newest first',
  permission: 'fields.view',
  company: 'given',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({
        id,
        at: instant,
        actor: z.object({ id: id.nullable(), name: z.string() }),
        action: z.enum([
          'created',
          'updated',
          'deleted',
          'override_created',
          'override_updated',
          'override_deleted',
        ]),
        detail: z.string(),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  }),
  example: {
    ...anId,
    answer: {
      data: [
        {
          id: 90,
          at,
          actor: { id: 5, name: 'Olive Owner' },
          action: 'created',
          detail: 'Stage',
          before: null,
          after: null,
        },
      ],
    },
  },
});

const choiceIn = z.object({
  id: id.optional(),
  value: z.string().trim().min(1, 'Enter the choice.').max(255, 'At most 255 characters.'),
  sort_order: z.coerce.number<number>().int().min(0).max(100_000).optional(),
  description: z.string().trim().max(500, 'At most 500 characters.').default(''),
});
const description = z.string().trim().max(500, 'At most 500 characters.');
const fieldIn = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
  description,
  type: z.enum(fieldTypes, 'Choose a type.'),
  choices: z
    .array(choiceIn)
    .max(500, 'At most 500 choices.')
    .meta({ description: 'In order, with sort_order; enum fields only' }),
  defaultValue: plain.nullable(),
  is_required: flag,
  is_unique: flag,
  is_visible_in_list: flag,
  is_filterable: flag,
  ai: z
    .object({
      enabled: flag,
      prompt: z.string().trim().max(2000, 'At most 2000 characters.'),
      allow_null: flag,
      with_reason: flag,
    })
    .partial(),
});
const replacements = z
  .array(z.object({ from: id, to: id.nullable() }))
  .max(500)
  .optional()
  .meta({
    description: 'The replacement for choices that are removed while in use (null: none)',
  });
export const createField = endpoint({
  name: 'createField',
  method: 'POST',
  path: '/eavEntityTypes/{type}/eavAttributes',
  summary: 'Create a custom field',
  permission: 'fields.edit',
  company: 'given',
  status: 201,
  params: z.object({
    type: z.string().max(30).meta({ description: 'ID or key of the entity type' }),
  }),
  body: fieldIn
    .partial()
    .required({ name: true, type: true })
    .extend({
      key: z
        .string()
        .trim()
        .regex(
          /^[a-z][a-z0-9_]{0,59}$/,
          'Use lowercase letters, digits and _, starting with a letter.',
        )
        .optional(),
      scope: z.enum(['company', 'organization']).optional(),
      ...companyIn,
    }),
  answer: one(field),
  example: {
    params: { type: 'call' },
    body: {
      name: 'Stage',
      description: 'The stage of the deal',
      type: 'enum',
      choices: [
        { value: 'New', sort_order: 1 },
        { value: 'Won', sort_order: 2, description: 'Signed' },
      ],
      is_visible_in_list: true,
    },
    answer: { data: fieldExample },
  },
});
export const updateField = endpoint({
  name: 'updateField',
  method: 'PUT',
  path: '/eavEntityTypes/{type}/eavAttributes/{id}',
  summary: 'Update a custom field; its type can’t change once it has values',
  permission: 'fields.edit',
  company: 'given',
  object: ofAnyField,
  params: z.object({ type: z.string().max(30), id }),
  body: fieldIn.partial().extend({ replacements, ...companyIn }),
  answer: one(field),
  refusals: ['field.choice_used'],
  example: {
    params: { type: 'call', id: 41 },
    body: {
      name: 'Stage',
      choices: [
        { id: 501, value: 'New', sort_order: 1 },
        { id: 502, value: 'Won', sort_order: 2 },
      ],
    },
    answer: { data: fieldExample },
  },
});
export const deleteField = endpoint({
  name: 'deleteField',
  method: 'DELETE',
  path: '/eavAttributes/{id}',
  summary: 'Delete a custom field with all its values',
  permission: 'fields.edit',
  company: 'given',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: empty,
  status: 204,
  example: anId,
});

export const fieldOverride = z.object({
  id,
  attribute_id: id,
  company: z.object({ id, name: z.string() }),
  description: z.string().nullable(),
  choices: z.array(choice).nullable(),
  defaultValue: plain.nullable(),
  has_default: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
const overrideExample = {
  id: 61,
  attribute_id: 41,
  company: { id: 1, name: 'Harbor Dental' },
  description: null,
  choices: null,
  defaultValue: 501,
  has_default: true,
  created_at: at,
  updated_at: at,
};
export const listFieldOverrides = endpoint({
  name: 'listFieldOverrides',
  method: 'GET',
  path: '/eavAttributes/{id}/overrides',
  summary:
    'List the companies that override an organization’s field; only your own company unless you administer the organization',
  permission: 'fields.view',
  company: 'given',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(fieldOverride) }),
  example: { ...anId, answer: { data: [overrideExample] } },
});
export const overrideField = endpoint({
  name: 'overrideField',
  method: 'POST',
  path: '/eavAttributes/{id}/overrides',
  summary:
    'Override an organization’s field for a company: description, choices or default. What is left out follows the organization',
  permission: 'fields.edit',
  company: 'given',
  object: ofAnyField,
  status: 201,
  params: ofField,
  body: z.object({
    description: description.nullable().optional(),
    choices: z.array(choiceIn).max(500).nullable().optional(),
    defaultValue: plain.nullable().optional(),
    replacements,
    ...companyIn,
  }),
  answer: one(field),
  refusals: ['field.not_organization', 'field.choice_used'],
  example: {
    ...anId,
    body: { defaultValue: 501 },
    answer: {
      data: {
        ...fieldExample,
        scope: { organization_id: 2 },
        defaultValue: 501,
        overriding: { attribute_id: 41, override_id: 61 },
      },
    },
  },
});
export const deleteFieldOverride = endpoint({
  name: 'deleteFieldOverride',
  method: 'DELETE',
  path: '/eavAttributes/{id}/overrides/{overrideId}',
  summary: 'Reset a field to the organization’s settings',
  permission: 'fields.edit',
  company: 'given',
  object: ofAnyField,
  params: z.object({ id, overrideId: id }),
  query: z.object({ ...companyIn }),
  body: z.object({ replacements, ...companyIn }),
  answer: empty,
  status: 204,
  refusals: ['field.choice_used'],
  example: { params: { id: 41, overrideId: 61 } },
});

/** A definition changed: columns, filters and forms are asked for again. */
export const fieldsChanged = event({
  name: 'fields-changed',
  channel: 'companies',
  data: z.object({
    companyId: id,
    entityTypeId: z.number(),
    fieldId: id,
    change: z.enum(['created', 'updated', 'deleted', 'overridden']),
  }),
  touches: [
    'listFields',
    'listFieldEntities',
    'fieldCountStats',
    'fieldHistory',
    'listFieldOverrides',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCall',
    'listActivity',
    'getCompany',
    'listCompanyUsers',
    'getCompanyUser',
    'listContacts',
    'getContact',
    'listGroups',
    'getGroup',
    'countContacts',
  ],
});

/** What becomes of numbers' own values because of their field: it goes, or a choice of it. In words, empty = none; at most 500 numbers at a time. */
export const numberValuesChanged = event({
  name: 'number-values-changed',
  channel: null,
  data: z.object({
    companyId: id,
    fieldId: id,
    name: z.string(),
    at: z.string(),
    userId: id.nullable(),
    userName: z.string(),
    changes: z.array(z.object({ numberId: id, before: z.string(), after: z.string() })),
  }),
});

// ---- tags ------------------------------------------------------------------------------------------------------------

export const tagColors = [
  'teal',
  'blue',
  'grape',
  'orange',
  'green',
  'pink',
  'cyan',
  'indigo',
  'red',
  'yellow',
  'gray',
] as const;
export const tag = z.object({
  id,
  name: z.string(),
  color: z.string(),
  scope: z.enum(['company', 'organization']),
  usage_count: z.number(),
  uses: z
    .object({ numbers: z.number(), calls: z.number(), other: z.number() })
    .meta({ description: 'other: templates and forwarding contacts' }),
  created_by: id.nullable(),
  created_at: instant,
});
export type Tag = z.infer<typeof tag>;
const tagExample: Tag = {
  id: 3,
  name: 'New patient',
  color: 'teal',
  scope: 'company',
  usage_count: 12,
  uses: { numbers: 1, calls: 11, other: 0 },
  created_by: 5,
  created_at: at,
};
const tagName = z
  .string()
  .trim()
  .min(1, 'Enter a tag name.')
  .max(50, 'A tag can have at most 50 characters.');
const color = z.enum(tagColors, 'Choose a color from the list.');
const ofCompany = z.object({ companyId: id });
const businessUnitId = id
  .nullish()
  .meta({ description: 'The organization; its tags are available in all its companies' });
export const listTags = endpoint({
  name: 'listTags',
  method: 'GET',
  path: '/companies/{companyId}/tags',
  summary: 'List the tags with how often each is used',
  permission: 'tags.view',
  company: 'path',
  paged: true,
  params: ofCompany,
  query: listQuery(
    {
      sort: sortBy('name', 'usage_count', 'created_at', 'color'),
      search: z.string().trim().max(100).optional(),
      businessUnitId: businessUnitId.optional(),
      scope: z.enum(['company', 'organization']).optional(),
      unused: flag.optional(),
    },
    { perPage: 250, max: 1000 },
  ),
  answer: pageOf(tag),
  example: {
    params: { companyId: 1 },
    query: { sort: 'usage_count', dir: 'desc' },
    answer: { data: [tagExample] },
  },
});
export const createTags = endpoint({
  name: 'createTags',
  method: 'POST',
  path: '/companies/{companyId}/tags',
  summary: 'Create tags; with businessUnitId, in all companies of the organization',
  permission: 'tags.edit',
  company: 'path',
  status: 201,
  params: ofCompany,
  body: z.object({
    tags: z
      .array(
        z.union([
          tagName.transform((name) => ({ name, color: undefined })),
          z.object({ name: tagName, color: color.optional() }),
        ]),
      )
      .min(1, 'Enter at least one tag.')
      .max(200, 'Enter at most 200 tags at once.'),
    businessUnitId,
  }),
  answer: z.object({ data: z.array(tag) }),
  refusals: ['tag.exists'],
  example: {
    params: { companyId: 1 },
    body: { tags: [{ name: 'New patient', color: 'teal' }] },
    answer: { data: [tagExample] },
  },
});
export const updateTags = endpoint({
  name: 'updateTags',
  method: 'PUT',
  path: '/companies/{companyId}/tags',
  summary: 'Rename, recolor or merge tags, or restore deleted ones; tagged records keep them',
  permission: 'tags.edit',
  company: 'path',
  params: ofCompany,
  body: z.object({
    tags: z
      .array(
        z.object({
          id,
          name: tagName.optional(),
          color: color.optional(),
          merge_into: id.optional().meta({
            description: 'Everything with this tag gets that tag instead; this one is removed',
          }),
          restore: flag.optional().meta({
            description: 'Restore a tag deleted in the last 30 days, with everything that had it',
          }),
        }),
      )
      .min(1)
      .max(200),
    businessUnitId,
  }),
  answer: z.object({ data: z.array(tag) }),
  refusals: ['tag.exists'],
  example: {
    params: { companyId: 1 },
    body: { tags: [{ id: 3, name: 'New patient', color: 'blue' }] },
    answer: { data: [{ ...tagExample, color: 'blue' }] },
  },
});
export const deleteTags = endpoint({
  name: 'deleteTags',
  method: 'DELETE',
  path: '/companies/{companyId}/tags',
  summary: 'Delete tags; they can be restored for 30 days',
  permission: 'tags.edit',
  company: 'path',
  status: 204,
  params: ofCompany,
  query: z.object({
    ids: z.preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(id)).optional(),
    businessUnitId: businessUnitId.optional(),
  }),
  body: z.object({ ids: z.array(id).max(200).optional(), businessUnitId }),
  answer: empty,
  example: { params: { companyId: 1 }, body: { ids: [3] } },
});
export const tagsChanged = event({
  name: 'tags-changed',
  channel: 'companies',
  data: z.object({
    companyId: id,
    tagIds: z.array(id),
    change: z.enum(['created', 'updated', 'merged', 'deleted', 'restored']),
  }),
  touches: [
    'listTags',
    'listNumbers',
    'listNumbersDatatable',
    'getNumber',
    'getCall',
    'listNumberTemplates',
    'listForwardContacts',
  ],
});
