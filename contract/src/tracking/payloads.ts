import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { feedRow } from './feed-schemas.ts';
import { matchKinds } from './match-rules.ts';
import { matchedSource } from './match-schemas.ts';

export const sourcesChanged = z.object({ companyId: id, sourceIds: z.array(id) });

export const poolChanged = z.object({ companyId: id, poolId: id, deleted: z.boolean() });

export const formReceived = z.object({
  visitId: id,
  poolId: id,
  numberId: id.nullable().meta({ description: 'The number that the visitor saw' }),
  at: instant,
  form: z.string(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  party: z.string().nullable().meta({ description: 'A phone number in the form (E.164)' }),
  name: z.string().nullable(),
  email: z.string().nullable(),
  page: z.string().nullable(),
  source: z.object({ key: z.string(), label: z.string() }),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  keyword: z.string().nullable(),
});

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

export const dniFeed = feedRow;
