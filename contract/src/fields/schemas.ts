import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { type FieldChoice, fieldTypes, type FieldValueType } from './rules.ts';

export const plain = z.union([z.string(), z.number(), z.boolean()]) as z.ZodType<FieldValueType>;

export const entityTypeId = z.number().int().min(1).max(7).meta({
  description: '1 Number, 2 Company, 3 TrackingPool, 4 Organization, 5 User, 6 Call, 7 Contact',
});

/**
 * A field's value in responses. `label`: the value as text, such as a choice's label, Yes or No.
 */
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

/**
 * A field's value in requests: the field by ID or key; blank or null clears it. A choice also by
 * its label.
 */
export const fieldValueIn = z.object({
  attribute_id: id.optional(),
  eav_attribute_id: id.optional(),
  key: z.string().max(60).optional(),
  value: z.unknown(),
  reason: z.string().max(2000).nullish(),
  confidence: z.number().min(0).max(1).nullish(),
});

export const fieldValuesIn = z.array(fieldValueIn).max(500);

/**
 * Filters by custom field: `{ deal_value: "100..", stage: "3,5" }`, by key or ID; blank ones are
 * dropped.
 */
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
