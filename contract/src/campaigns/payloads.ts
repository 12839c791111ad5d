import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { campaignStates, keysOf, pausedReasons } from './rules.ts';
import { counts } from './schemas.ts';

export const campaignsUpdated = z.object({
  id,
  state: z.enum(campaignStates),
  counts: z.object(counts),
  paused_reason: z.enum(keysOf(pausedReasons)).nullable(),
  deleted: z.boolean(),
});

export const campaignInboxSynced = z.object({ campaignId: id, numberId: id, count: z.number() });

export const campaignPaused = z.object({
  campaignId: id,
  title: z.string(),
  numberId: id.nullable(),
  reason: z.enum(keysOf(pausedReasons)),
  byUserId: id.nullable(),
  autoResumeAt: instant.nullable(),
  at: instant,
});

export const campaignFinished = z.object({
  campaignId: id,
  title: z.string(),
  numberId: id.nullable(),
  state: z.enum(['sent', 'canceled', 'failed']),
  counts: z.object(counts),
  at: instant,
});
