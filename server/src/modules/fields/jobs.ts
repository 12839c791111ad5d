import { z } from 'zod';
import { fields as contract } from '#contract';
import { fieldTypes } from '#contract/fields/rules';
import { defineJob } from '../../platform/jobs.ts';
import {
  applyOrganizationChange,
  type OrganizationFieldChange,
} from './definitions/apply-organization-change.ts';
import { syncOrganizationTags } from './tags/store.ts';

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

export const jobs = [
  defineJob(
    'fields.syncOrganization',
    organizationFieldChange,
    { queue: 'default', timeoutSeconds: 600, overlap: 'allowed', retries: 24 },
    applyOrganizationChange,
  ),
  defineJob(
    'fields.syncOrganizationTags',
    z.object({ companyId: z.number() }),
    { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
    async (ctx) => {
      await ctx.transaction(async (t) => {
        await syncOrganizationTags(t.tx, t.companyId, t.now);
        await t.publish(contract.tagsChanged, {
          companyId: t.companyId,
          tagIds: [],
          change: 'updated',
        });
      });
    },
  ),
];
