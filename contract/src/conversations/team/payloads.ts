import { z } from 'zod';
import { id, instant } from '../../schemas.ts';

export const presenceChanged = z.object({
  conversationId: id,
  userId: id,
  name: z.string(),
  state: z.enum(['viewing', 'replying', 'away']),
  at: instant,
});

export const cannedRepliesChanged = z.object({ companyId: id });

export const viewsChanged = z.object({ companyId: id });

export const automaticTextsChanged = z.object({ numberId: id });

export const teamNotification = z.object({
  companyId: id,
  kind: z.enum(['mention', 'assigned']),
  userId: id,
  byName: z.string(),
  conversationId: id.nullable(),
  numberId: id.nullable(),
  about: z.string(),
  text: z.string().meta({
    description: 'What was written; of an assignment the team it is to, empty: the person',
  }),
  key: z.string(),
});
