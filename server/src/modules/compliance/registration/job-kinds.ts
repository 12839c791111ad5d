import { z } from 'zod';
import { registrationKinds } from '#contract/compliance/registration/lists';
import { jobKind } from '../../../platform/job-kind.ts';

const registrationKey = z.object({
  companyId: z.number(),
  campaignId: z.number(),
  kind: z.enum(registrationKinds),
});

export const submitJob = jobKind('registration.submit', registrationKey, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
  retries: 24,
});

export const pollJob = jobKind('registration.poll', registrationKey, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
  retries: 2,
});

export const syncNumbersJob = jobKind('registration.syncNumbers', registrationKey, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
  retries: 24,
});

export const endJob = jobKind('registration.end', registrationKey, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: ({ companyId, campaignId }) => `registration:${companyId}:${campaignId}`,
  retries: 24,
});
