import { z } from 'zod';
import { spread } from '../../platform/job-policies.ts';
import { defineJob } from '../../platform/jobs.ts';
import { checkFaxStatus, submitFax } from './submit-fax.ts';
import { fetchFax, renderFax } from './render-fax.ts';

/** One fax of a company at a time, so that nobody's hundred hold up another's one. */
const oneOfCompany = (job: { companyId: number }) => spread('fax', String(job.companyId));
const faxPayload = z.object({ companyId: z.number(), faxId: z.number() });
export const jobs = [
  defineJob(
    'fax.render',
    faxPayload,
    { queue: 'documents', timeoutSeconds: 300, overlap: oneOfCompany, retries: 24 },
    renderFax,
  ),
  defineJob(
    'fax.submit',
    faxPayload,
    { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    submitFax,
  ),
  defineJob(
    'fax.poll',
    faxPayload.extend({ attempt: z.number(), times: z.number() }),
    { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    checkFaxStatus,
  ),
  defineJob(
    'fax.fetch',
    faxPayload,
    { queue: 'documents', timeoutSeconds: 300, overlap: oneOfCompany, retries: 24 },
    fetchFax,
  ),
];
