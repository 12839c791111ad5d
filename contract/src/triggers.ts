import { z } from 'zod';
import { helpWords, optInWords, optOutWords } from './compliance.ts';
import { companyIn, endpoint, event, flag, id, instant } from './kit.ts';

/** How a rule reads a text (A6.3). */
export const matchModes = ['exact', 'first_word', 'contains'] as const;
/** Words that carriers' rules reserve: never a trigger. */
export const reservedKeywords: readonly string[] = [
  ...optOutWords,
  ...optInWords,
  ...helpWords,
].map((word) => word.replace(' ', ''));
export const isReserved = (keyword: string): boolean =>
  reservedKeywords.includes(keyword.trim().toUpperCase());

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
    notify_email: z
      .array(z.email('Enter an email address.').max(254))
      .max(20, 'At most 20 addresses.'),
    marketing: flag,
    start_at: moment,
    end_at: moment,
    cooldown_minutes: z.coerce
      .number('Enter a number.')
      .int('Enter a whole number.')
      .min(0, 'At least 0.')
      .max(43_200, 'At most 30 days.'),
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

export const updateTriggers = endpoint({
  name: 'updateTriggers',
  method: 'PUT',
  path: '/numbers/{id}/triggers',
  summary:
    'Update a number’s SMS keyword rules: remove, change (by ID, else by keyword) or add rules',
  permission: 'numbers.configure',
  company: 'object',
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

export const triggersChanged = event({
  name: 'number.triggers_changed',
  channel: 'companies',
  data: z.object({ companyId: id, numberId: id }),
  touches: ['getNumber', 'listNumbers'],
  about: ['numberId'],
});
/** A rule heard its word. Whoever keeps groups, labels and notifications does their part. */
export const keywordMatched = event({
  name: 'keyword.heard',
  channel: 'companies',
  about: ['numberId'],
  touches: ['getNumber'],
  data: z.object({
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
  }),
});
/** The same on the channel of each person who wants to know. */
export const keywordNotification = event({
  name: 'keyword-heard',
  channel: 'users',
  about: ['userId'],
  data: z.object({
    companyId: id,
    numberId: id,
    number: z.string(),
    keyword: z.string(),
    party: z.string(),
    text: z.string(),
    conversationId: id.nullable(),
  }),
});
