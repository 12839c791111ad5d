import { z } from 'zod';
import { id } from '../../schemas.ts';

export const billingContactsChanged = z.object({ companyId: id });
