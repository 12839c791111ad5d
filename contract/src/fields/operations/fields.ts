import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, instant, one } from '../../schemas.ts';
import { entityTypes, fieldTypes } from '../rules.ts';
import { entityTypeId, field, type Field, fieldOverride, plain } from '../schemas.ts';
import { at } from './shared.ts';

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

export const listFieldEntities = operation({
  summary: 'List the record types that can have custom fields, and how many fields each has',
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

export const listFields = operation({
  summary:
    'List the custom fields of a company and its organization, in the order they were created',
  query: z.object({
    entityType: z.string().max(30).optional().meta({ description: 'ID or key: 6 or call' }),
    search: z.string().trim().max(100).optional(),
    ...companyIn,
  }),
  answer: z.object({ data: z.array(field) }),
  example: { query: { entityType: 'call' }, answer: { data: [fieldExample] } },
});

export const fieldCountStats = operation({
  summary: 'Count the objects that have their own value, by choice',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({ total: z.number(), filled: z.number(), byChoice: z.record(z.string(), z.number()) }),
  ),
  example: { ...anId, answer: { data: { total: 140, filled: 12, byChoice: { 501: 9, 502: 3 } } } },
});

export const fieldHistory = operation({
  summary: 'List the changes to a custom field, newest first',
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

export const createField = operation({
  summary: 'Create a custom field',
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

export const updateField = operation({
  summary: 'Update a custom field; its type can’t change once it has values',
  object: ofAnyField,
  params: z.object({ type: z.string().max(30), id }),
  body: fieldIn.partial().extend({ replacements, ...companyIn }),
  answer: one(field),
  errors: ['field.choice_used'],
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

export const deleteField = operation({
  summary: 'Delete a custom field with all its values',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: empty,
  status: 204,
  example: anId,
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

export const listFieldOverrides = operation({
  summary:
    'List the companies that override an organization’s field; only your own company unless you administer the organization',
  object: ofAnyField,
  params: ofField,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(fieldOverride) }),
  example: { ...anId, answer: { data: [overrideExample] } },
});

export const overrideField = operation({
  summary:
    'Override an organization’s field for a company: description, choices or default. What is left out follows the organization',
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
  errors: ['field.not_organization', 'field.choice_used'],
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

export const deleteFieldOverride = operation({
  summary: 'Reset a field to the organization’s settings',
  object: ofAnyField,
  params: z.object({ id, overrideId: id }),
  query: z.object({ ...companyIn }),
  body: z.object({ replacements, ...companyIn }),
  answer: empty,
  status: 204,
  errors: ['field.choice_used'],
  example: { params: { id: 41, overrideId: 61 } },
});
