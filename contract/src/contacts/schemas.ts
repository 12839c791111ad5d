import { z } from 'zod';
import { flag, id, instant } from '../schemas.ts';
import {
  contactSources,
  contactStates,
  contactTypes,
  crmNames,
  genders,
  optinTypes,
} from './rules.ts';

/** A custom field's value on a contact (A23). */
const customValue = z.looseObject({ attribute_id: id, key: z.string(), value: z.unknown() });

/** Contact (A §3). Without permission to see personal details they are masked, not missing. */
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
  otherNumbers: z.array(z.string()).meta({
    description: 'Further numbers: typed, imported, or of contacts merged into this one',
  }),
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
  nameFrom: z.enum(crmNames).nullable().meta({
    description: 'CRM that the name came from; null: it was typed, imported or sent',
  }),
  companyNameFrom: z.enum(crmNames).nullable(),
  crmOwner: z
    .object({ name: z.string(), provider: z.enum(crmNames) })
    .nullable()
    .meta({ description: 'Who owns the contact in a connected CRM' }),
  masked: z.boolean(),
});

export type Contact = z.infer<typeof contact>;

/** Short form of a contact, embedded in other objects. */
export const contactBrief = z.object({
  id,
  name: z.string(),
  number: z.string(),
  email: z.string(),
  companyName: z.string(),
  isUnsubscribed: z.boolean(),
});

/**
 * Rule of a virtual group (A11): all conditions must hold. `custom:<attribute id>` tests a custom
 * field.
 */
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

export const filterShape = {
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

/**
 * `batchId` undoes it within 30 days. Above 1,000 contacts it runs as a job and `changed` grows.
 */
export const bulkResult = z.object({
  batchId: z.uuid(),
  status: z.enum(['finished', 'queued']),
  total: z.number(),
  changed: z.number(),
});
