import { z } from 'zod';
import { id, instant } from '../../schemas.ts';

export const triggersChanged = z.object({ companyId: id, numberId: id });

export const keywordMatched = z.object({
  companyId: id,
  numberId: id,
  number: z.string(),
  triggerId: id,
  keyword: z.string(),
  party: z.string(),
  text: z.string(),
  groupIds: z.array(id),
  labelIds: z.array(id),
  setOptin: z.boolean(),
  replied: z.boolean(),
  notifyUserIds: z.array(id),
  at: instant,
});

export const keywordNotification = z.object({
  companyId: id,
  numberId: id,
  number: z.string(),
  keyword: z.string(),
  party: z.string(),
  text: z.string(),
  conversationId: id.nullable(),
});
