import { z } from 'zod';
import { spread } from '../../platform/job-kind.ts';
import { jobKind } from '../../platform/job-kind.ts';

const faxPayload = z.object({ companyId: z.number(), faxId: z.number() });
/** One fax of a company at a time, so that nobody's hundred hold up another's one. */
const oneOfCompany = (job: { companyId: number }) => spread('fax', String(job.companyId));

export const renderJob = jobKind('fax.render', faxPayload, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: oneOfCompany,
  retries: 24,
});

export const submitJob = jobKind('fax.submit', faxPayload, {
  queue: 'documents',
  timeoutSeconds: 120,
  overlap: 'allowed',
  retries: 24,
});

export const pollJob = jobKind(
  'fax.poll',
  faxPayload.extend({ attempt: z.number(), times: z.number() }),
  { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const fetchJob = jobKind('fax.fetch', faxPayload, {
  queue: 'documents',
  timeoutSeconds: 300,
  overlap: oneOfCompany,
  retries: 24,
});
