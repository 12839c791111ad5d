import { z } from 'zod';
import { id } from '../schemas.ts';

export const subscriptionChanged = z.object({ companyId: id });
export const numbersForfeited = z.object({ companyId: id });
