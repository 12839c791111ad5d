import { z } from 'zod';
import { id } from '../../schemas.ts';
import { accountStatus } from './schemas.ts';

export const organizationChanged = z.object({ organizationId: id, userId: id });

export const companyStatusChanged = z.object({
  companyId: id,
  status: accountStatus,
  before: accountStatus,
});

export const companySuspensionChanged = z.object({ companyId: id, suspended: z.boolean() });
