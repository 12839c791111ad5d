import { z } from 'zod';
import { defineJob } from '../../../platform/jobs.ts';
import { checkFaxStatus, submitFax } from './submit-fax.ts';
import { fetchFax, renderFax } from './render-fax.ts';

const faxPayload = z.object({ companyId: z.number(), faxId: z.number() });
export const jobs = [
  defineJob('conversations.renderFax', faxPayload, renderFax),
  defineJob('conversations.submitFax', faxPayload, submitFax),
  defineJob(
    'conversations.pollFax',
    faxPayload.extend({ attempt: z.number(), times: z.number() }),
    checkFaxStatus,
  ),
  defineJob('conversations.fetchFax', faxPayload, fetchFax),
];
