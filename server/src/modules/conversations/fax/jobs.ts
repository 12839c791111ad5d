import { z } from 'zod';
import { job } from '../../../platform/jobs.ts';
import { askFax, handOverFax } from './hand-over-fax.ts';
import { fetchFax, printFax } from './print-fax.ts';

const ofFax = z.object({ companyId: z.number(), faxId: z.number() });
export const jobs = [
  job('conversations.printFax', ofFax, printFax),
  job('conversations.handOverFax', ofFax, handOverFax),
  job('conversations.askFax', ofFax.extend({ attempt: z.number(), times: z.number() }), askFax),
  job('conversations.fetchFax', ofFax, fetchFax),
];
