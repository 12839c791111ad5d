import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { feedTypes } from './feed-rules.ts';
import { devices } from './match-rules.ts';

/** One thing that happened on a website of the company, or because of it (A8.8). */
export const feedRow = z.object({
  id: z.string().meta({
    description:
      'The same in the answer and in the event; a later row with it replaces the one before',
  }),
  at: instant,
  type: z.enum(feedTypes),
  poolId: id.nullable(),
  number: z.string().nullable().meta({ description: 'The number that the visitor saw' }),
  source: z.object({ key: z.string(), label: z.string() }),
  campaign: z.string().nullable(),
  page: z
    .string()
    .nullable()
    .meta({ description: 'Without its query: visitors’ addresses can carry personal data' }),
  region: z.string().nullable(),
  device: z.enum(devices).nullable(),
  sessionId: id.nullable(),
  caller: z
    .string()
    .nullable()
    .meta({ description: 'Who called, texted or sent a form; null: a visit, or not known' }),
  subjectId: id
    .nullable()
    .meta({ description: 'The call, or the item of the text in its conversation' }),
});
export type FeedRow = z.infer<typeof feedRow>;
