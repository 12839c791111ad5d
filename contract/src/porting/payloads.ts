import { z } from 'zod';
import { id } from '../schemas.ts';
import { portStatus } from './schemas.ts';

export const portStatusChanged = z.object({
  companyId: id,
  portId: id,
  status: portStatus,
  before: portStatus.nullable(),
  numbers: z.array(z.string()),
});

export const portChanged = z.object({ companyId: id, portId: id, what: z.string() });

export const portCompleted = z.object({
  companyId: id,
  portId: id,
  numbers: z.array(z.object({ number: z.string(), numberId: id })),
  templateId: id.nullable(),
  temporaryNumberId: id.nullable(),
});
