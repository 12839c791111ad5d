import { z } from 'zod';
import { id } from '../../schemas.ts';
import { carrierStates } from './rules.ts';

export const carrierAccountChanged = z.object({
  companyId: id,
  carrier: z.string(),
  state: z.enum(carrierStates),
  working: z.boolean(),
});

export const failoverChanged = z.object({
  companyId: id,
  numberId: id,
  viaNumberId: id.nullable(),
});
