import { z } from 'zod';
import { id, instant } from '../../schemas.ts';

export const ssoEmergencyUsed = z.object({
  organizationId: id,
  userId: id,
  ip: z.string(),
  at: instant,
});
