import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

export const submitJob = jobKind(
  'porting.submit',
  z.object({ companyId: z.number(), portId: z.number(), attempt: z.number() }),
  { queue: 'documents', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
);

export const mailStatusJob = jobKind(
  'porting.mailStatus',
  z.object({ companyId: z.number(), portId: z.number(), eventId: z.number() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
);

export const mailLetterJob = jobKind(
  'porting.mailLetter',
  z.object({ companyId: z.number(), portId: z.number(), hash: z.string(), at: z.number() }),
  { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
);

export const cancelAtCarrierJob = jobKind(
  'porting.cancelAtCarrier',
  z.object({ companyId: z.number(), portId: z.number() }),
  { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
);

export const pollJob = jobKind(
  'porting.poll',
  z.object({ companyId: z.number(), portId: z.number() }),
  { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
);
