import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { registrationStatuses } from './lists.ts';
import { byKind, status } from './schemas.ts';

export const smsVerificationChanged = z.object({
  campaignId: id,
  status: byKind(status),
  brandStatus: status,
  because: z.string().nullable(),
});

export const numberVerificationChanged = z.object({
  numberId: id,
  status: z.enum([...registrationStatuses, 'none']),
  campaignId: id.nullable(),
  reason: z.string().nullable(),
  at: instant,
});
