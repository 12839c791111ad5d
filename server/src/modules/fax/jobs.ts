import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { checkFaxStatus, submitFax } from './submit-fax.ts';
import { fetchFax, renderFax } from './render-fax.ts';

const faxPayload = z.object({ companyId: z.number(), faxId: z.number() });
export const jobs = [
  defineJob(
    'fax.render',
    faxPayload,
    { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
    renderFax,
  ),
  defineJob(
    'fax.submit',
    faxPayload,
    { queue: 'default', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    submitFax,
  ),
  defineJob(
    'fax.poll',
    faxPayload.extend({ attempt: z.number(), times: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    checkFaxStatus,
  ),
  defineJob(
    'fax.fetch',
    faxPayload,
    { queue: 'default', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
    fetchFax,
  ),
];
