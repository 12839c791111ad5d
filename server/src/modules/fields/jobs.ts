import { fields as contract } from '#contract';
import { runJob } from '../../platform/jobs.ts';
import { syncOrganizationJob, syncOrganizationTagsJob } from './job-kinds.ts';
import { applyOrganizationChange } from './definitions/apply-organization-change.ts';
import { syncOrganizationTags } from './tags/store.ts';

export const jobs = [
  runJob(syncOrganizationJob, applyOrganizationChange),
  runJob(syncOrganizationTagsJob, async (ctx) => {
    await ctx.transaction(async (t) => {
      await syncOrganizationTags(t.tx, t.companyId, t.now);
      await t.publish(contract.tagsChanged, {
        companyId: t.companyId,
        tagIds: [],
        change: 'updated',
      });
    });
  }),
];
