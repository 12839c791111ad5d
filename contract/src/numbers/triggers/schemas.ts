import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { flag, id, instant } from '../../schemas.ts';
import { numberBounds } from '../rules.ts';
import { isReserved, matchModes } from './rules.ts';

export const numberTrigger = z.object({
  id,
  keyword: z.string(),
  match_mode: z.enum(matchModes),
  active: z.boolean(),
  reply_text: z.string().nullable(),
  reply_media: z.array(
    z.object({ file_id: id, url: z.string(), name: z.string(), type: z.string() }),
  ),
  group_ids: z.array(id),
  label_ids: z.array(id),
  set_optin: z.boolean().meta({ description: 'Keeps the text as proof of opt-in' }),
  notify_user_ids: z.array(id),
  notify_email: z.array(z.string()),
  marketing: z.boolean().meta({ description: 'Its reply waits until quiet hours end' }),
  start_at: instant.nullable(),
  end_at: instant.nullable(),
  cooldown_minutes: z.number(),
  answered_count: z.number().meta({ description: 'Number of replies sent' }),
  created_at: instant,
});

export type NumberTrigger = z.infer<typeof numberTrigger>;

const keyword = z
  .string()
  .trim()
  .max(30, 'At most 30 characters.')
  .regex(/^[\p{L}\p{N}]+$/u, 'Use letters and digits, no spaces.')
  .refine((word) => !isReserved(word), {
    message: 'This keyword is reserved by carriers. Choose another.',
  });

const moment = z.iso.datetime({ offset: true, message: 'Use an ISO-8601 timestamp.' }).nullable();

export const triggerIn = z
  .object({
    id: id.nullish(),
    keyword,
    match_mode: z.enum(matchModes),
    active: flag,
    reply_text: z.string().trim().max(1600, 'At most 1600 characters.').nullable(),
    reply_media: z
      .array(id)
      .max(3, 'At most 3 files.')
      .meta({ description: 'IDs of the company’s files' }),
    group_ids: z.array(id).max(50),
    label_ids: z.array(id).max(50),
    set_optin: flag,
    notify_user_ids: z.array(id).max(50),
    notify_email: z.array(emailAddress).max(20, 'At most 20 addresses.'),
    marketing: flag,
    start_at: moment,
    end_at: moment,
    cooldown_minutes: z.coerce
      .number('Enter a number.')
      .int('Enter a whole number.')
      .min(numberBounds.cooldown_minutes[0], 'At least 0.')
      .max(numberBounds.cooldown_minutes[1], 'At most 30 days.'),
  })
  .partial()
  .superRefine((one, refine) => {
    if (!one.id && !one.keyword)
      refine.addIssue({ code: 'custom', path: ['keyword'], message: 'Enter a keyword.' });
    if (one.start_at && one.end_at && one.end_at <= one.start_at)
      refine.addIssue({
        code: 'custom',
        path: ['end_at'],
        message: 'Choose an end after the start.',
      });
  });

export type TriggerIn = z.infer<typeof triggerIn>;
