import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { matchKinds } from './match-rules.ts';
import { matchedSource } from './match-schemas.ts';

export const sourcesChanged = z.object({ companyId: id, sourceIds: z.array(id) });

export const poolChanged = z.object({ companyId: id, poolId: id, deleted: z.boolean() });

export const scriptChanged = z.object({ companyId: id, isEnabled: z.boolean() });

export const matched = z.object({
  kind: z.enum(matchKinds),
  subjectId: id.meta({ description: 'The call, or the item of the text in its conversation' }),
  numberId: id,
  poolId: id.nullable(),
  sessionId: id.nullable(),
  source: matchedSource,
  at: instant,
});
