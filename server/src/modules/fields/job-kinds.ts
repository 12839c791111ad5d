import { z } from 'zod';
import { fieldTypes } from '#contract/fields/rules';
import { type OrganizationFieldChange } from './definitions/apply-organization-change.ts';
import { jobKind } from '../../platform/job-kind.ts';

const choices = z.array(
  z.object({ id: z.number(), value: z.string(), sort_order: z.number(), description: z.string() }),
);
const organizationFieldChange = z.object({
  companyId: z.number(),
  field: z.object({
    id: z.number(),
    entity_type_id: z.number(),
    name: z.string(),
    type: z.enum(fieldTypes),
    choices,
  }),
  after: choices,
  replacements: z.array(z.object({ from: z.number(), to: z.number().nullable() })),
  gone: z.boolean(),
  by: z.object({ userId: z.number().nullable(), name: z.string() }),
}) as z.ZodType<OrganizationFieldChange>;

export const syncOrganizationJob = jobKind('fields.syncOrganization', organizationFieldChange, {
  queue: 'default',
  timeoutSeconds: 600,
  overlap: 'allowed',
  retries: 24,
});

export const syncOrganizationTagsJob = jobKind(
  'fields.syncOrganizationTags',
  z.object({ companyId: z.number() }),
  { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
);
