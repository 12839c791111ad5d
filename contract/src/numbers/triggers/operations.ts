import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id } from '../../schemas.ts';
import { numberTrigger, type NumberTrigger, triggerIn } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: NumberTrigger = {
  id: 61,
  keyword: 'JOIN',
  match_mode: 'exact',
  active: true,
  reply_text: 'Welcome! Msg frequency varies. Reply STOP to stop.',
  reply_media: [],
  group_ids: [],
  label_ids: [],
  set_optin: true,
  notify_user_ids: [],
  notify_email: [],
  marketing: false,
  start_at: null,
  end_at: null,
  cooldown_minutes: 60,
  answered_count: 0,
  created_at: at,
};

export const updateTriggers = operation({
  summary:
    'Update a number’s SMS keyword rules: remove, change (by ID, else by keyword) or add rules',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: z.object({
    remove: z.array(id).max(200).default([]),
    upsert: z.array(triggerIn).max(100, 'At most 100 rules.').default([]),
    ...companyIn,
  }),
  answer: z.object({ data: z.array(numberTrigger) }),
  example: {
    params: { id: 11 },
    body: {
      remove: [],
      upsert: [
        {
          keyword: 'JOIN',
          reply_text: 'Welcome! Msg frequency varies. Reply STOP to stop.',
          set_optin: true,
        },
      ],
    },
    answer: { data: [example] },
  },
});
