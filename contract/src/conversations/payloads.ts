import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { conversationReasons } from './rules.ts';
import { conversation, item } from './schemas.ts';

export const recordsExpired = z.object({ texts: z.number(), calls: z.number() });

export const conversationUpdated = z.object({
  conversationId: id,
  reason: z.enum(conversationReasons),
  item: item.optional(),
  conversation,
  readAt: instant.optional().meta({ description: 'When everything was marked read (reason read)' }),
});
