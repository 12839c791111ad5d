import { z } from 'zod';
import { companyIn, id, including, instant } from '../schemas.ts';
import {
  campaignStates,
  campaignStatusKeys,
  keysOf,
  mergeTags,
  pausedReasons,
  recipientStates,
  skipReasons,
} from './rules.ts';

const person = z.object({ id, name: z.string() });

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, such as 21:00.');

export const quietHours = z.object({
  start: time,
  end: time,
  mode: z.enum(['recipient', 'company']),
});

export const counts = {
  total_count: z.number().meta({ description: 'Everyone in the group when the campaign started' }),
  pending_count: z.number(),
  sent_count: z.number().meta({ description: 'Submitted to the carrier, or further' }),
  delivered_count: z.number(),
  undelivered_count: z.number(),
  failed_count: z.number().meta({ description: 'Rejected by the carrier' }),
  skipped_count: z.number(),
  unknown_count: z
    .number()
    .meta({ description: 'The carrier never responded; not retried automatically' }),
  responded_count: z.number(),
  unsubscriber_count: z.number(),
  credits_used: z.number(),
};

/**
 * Campaign (A §3, A12.4). `groups`: the first is the target; GET /groups has its size. `media`:
 * signed URLs; `media_files`: their names, for `keep_media[]`.
 */
export const campaign = z.object({
  id,
  user_id: id.nullable(),
  user: person.nullable(),
  company_id: id,
  type: z.literal('sms'),
  title: z.string(),
  text: z.string(),
  unsubscribe_text: z.string(),
  state: z.enum(campaignStates),
  status: z
    .enum(campaignStatusKeys as [string, ...string[]])
    .meta({ description: 'The displayed status' }),
  should_be_sent_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable(),
  groups: z.array(z.object({ id, name: z.string() })),
  number_id: id.nullable(),
  number: z.object({ id, number: z.string(), label: z.string() }).nullable(),
  ...counts,
  preview_count: z
    .number()
    .meta({ description: 'Number of recipients, counted when the campaign was saved' }),
  preview_credits: z.number(),
  started: z.boolean(),
  media: z.array(z.string()),
  media_files: z.array(
    z.object({ id, url: z.string(), type: z.string(), bytes: z.number(), name: z.string() }),
  ),
  dynamic_fields: z.array(z.enum(keysOf(mergeTags))),
  skip_inbox: z.boolean(),
  paused_reason: z.enum(keysOf(pausedReasons)).nullable(),
  paused_at: instant.nullable(),
  paused_by: person.nullable(),
  auto_resume_at: instant.nullable(),
  resume_next_day: z
    .boolean()
    .meta({ description: 'Resumes automatically when sending hours start again' }),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  failed_reason: z.string().nullable(),
  timezone: z.string(),
  quiet_hours: quietHours,
  approval: z.object({
    state: z.enum(['none', 'asked', 'approved']),
    asked_by: person.nullable(),
    approved_by: person.nullable(),
  }),
  text_version: z.number(),
  joined_since: z.number().nullable().meta({
    description:
      'Joined the group after the start and receive nothing; only on a started campaign’s detail',
  }),
});

export type Campaign = z.infer<typeof campaign>;

/** One recipient. `id` is the recipient's; `text_version`: which version of the text was sent. */
export const campaignEvent = z.object({
  id,
  contact: z.object({ id: id.nullable(), name: z.string(), number: z.string() }),
  state: z.enum(recipientStates),
  skip_reason: z.enum(keysOf(skipReasons)).nullable(),
  error_code: z.string().nullable(),
  error_text: z.string().nullable(),
  sent_at: instant.nullable(),
  delivered_at: instant.nullable(),
  responded_at: instant.nullable(),
  reply: z.string().nullable(),
  unsubscribed_at: instant.nullable(),
  text: z.string().nullable(),
  segments: z.number().nullable(),
  credits: z.number().nullable(),
  text_version: z.number().nullable(),
  conversation_id: id.nullable(),
});

export type CampaignEvent = z.infer<typeof campaignEvent>;

export const campaignPreview = z.object({
  recipients: z.number(),
  skipped: z.object({
    unsubscribed: z.number(),
    invalid: z.number(),
    blocked: z.number(),
    duplicate: z.number(),
    recently_texted: z.number(),
    possible_opt_out: z.number(),
    own_number: z.number(),
  }),
  segments_total: z.number(),
  credits: z.number(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  forcing_characters: z
    .array(z.string())
    .meta({ description: 'Characters that force UCS-2, which takes about twice the segments' }),
  first_three_rendered: z.array(
    z.object({ name: z.string(), number: z.string(), text: z.string(), segments: z.number() }),
  ),
  held_until: instant.nullable().meta({
    description:
      'When the scheduled time is in quiet hours for everyone: the first time a recipient can be texted',
  }),
  finish_estimate: instant
    .nullable()
    .meta({ description: 'At the number’s sending rate, within the allowed hours' }),
  per_second: z.number(),
  problems: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'What prevents sending now, by field' }),
});

export type CampaignPreview = z.infer<typeof campaignPreview>;

export const params = z.object({ id });

export const include = including('groups');

export const given = z.object({ ...companyIn, include });

export const idList = z.preprocess(
  (v) =>
    v === undefined || v === null || v === ''
      ? undefined
      : Array.isArray(v)
        ? v.filter((x) => x !== '')
        : [v],
  z.array(id).max(20).optional(),
);

/** An optional value that may be null. A form's empty string and the word `null` count as null. */
export const nullable = <T>(shape: z.ZodType<T>) =>
  z.preprocess((v) => (v === '' || v === 'null' ? null : v), shape.nullable().optional());
