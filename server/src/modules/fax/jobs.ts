import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { checkFaxStatus, submitFax } from './submit-fax.ts';
import { fetchFax, renderFax } from './render-fax.ts';

const faxPayload = z.object({ companyId: z.number(), faxId: z.number() });
export const jobs = [
  defineJob('fax.render', faxPayload, renderFax),
  defineJob('fax.submit', faxPayload, submitFax),
  defineJob(
    'fax.poll',
    faxPayload.extend({ attempt: z.number(), times: z.number() }),
    checkFaxStatus,
  ),
  defineJob('fax.fetch', faxPayload, fetchFax),
];
