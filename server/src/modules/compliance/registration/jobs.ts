import { z } from 'zod';
import { registrationKinds } from '#contract/compliance/registration/lists';
import { defineJob, defineRecurring } from '../../../platform/jobs.ts';
import { endRegistration } from './end-registration.ts';
import { syncReview } from './sync-review.ts';
import { submitToRegistry } from './submit-to-registry.ts';
import { enqueueStaleReviews } from './store.ts';
import { syncNumbers } from './sync-numbers.ts';

// The system role: clocks: find what is due in every company, then work in each one’s own
// transaction.

const registrationKey = z.object({
  companyId: z.number(),
  campaignId: z.number(),
  kind: z.enum(registrationKinds),
});

export const jobs = [
  defineJob(
    'registration.submit',
    registrationKey,
    {
      queue: 'documents',
      timeoutSeconds: 300,
      overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
      retries: 24,
    },
    submitToRegistry,
  ),
  defineJob(
    'registration.poll',
    registrationKey,
    {
      queue: 'documents',
      timeoutSeconds: 300,
      overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
      retries: 2,
    },
    syncReview,
  ),
  defineJob(
    'registration.syncNumbers',
    registrationKey,
    {
      queue: 'documents',
      timeoutSeconds: 300,
      overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
      retries: 24,
    },
    syncNumbers,
  ),
  defineJob(
    'registration.end',
    registrationKey,
    {
      queue: 'documents',
      timeoutSeconds: 300,
      overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
      retries: 24,
    },
    endRegistration,
  ),
  // Covers lost webhooks: every pending review is polled every five minutes.
  defineRecurring(
    'registration.pollAll',
    {
      cron: '*/5 * * * *',
      does: 'asks registries about reviews that no webhook reported',
      queue: 'documents',
      timeoutSeconds: 300,
    },
    async (ctx) => {
      await ctx.db.systemTransaction((tx) =>
        enqueueStaleReviews(tx, new Date(ctx.now.getTime() - 4 * 60_000)),
      );
    },
  ),
];
