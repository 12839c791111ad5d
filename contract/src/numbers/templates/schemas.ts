import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { route, routesIn } from '../../routing/schemas/routes.ts';
import { flag, id, instant } from '../../schemas.ts';
import { numberTag } from '../schemas/number.ts';

const short = (max: number) => z.string().trim().max(max, `At most ${max} characters.`);

const voicemail = z.object({
  enabled: z.boolean(),
  greeting_id: id.nullable(),
  greeting: z.string().nullable(),
  transcribe: z.boolean(),
  email: z.array(z.string()),
  sms_notify: z.boolean(),
});

/** Settings and routes that are copied to numbers (A6.4). */
export const numberTemplate = z.object({
  id,
  companyId: id,
  name: z.string(),
  description: z.string(),
  routes: z
    .record(z.string(), route)
    .meta({ description: 'Keyed by ID; the routes of one template, in order of extension' }),
  record: z.boolean(),
  call_transcription_enabled: z.boolean(),
  ai_eav_enabled: z
    .boolean()
    .meta({ description: 'Needs recording and transcription, so both are turned on with it' }),
  recording_announcement: z.enum(['none', 'default', 'custom']),
  recording_announcement_text: z.string().nullable(),
  schedule_id: id.nullable(),
  greeting_id: id.nullable(),
  voicemail,
  tags: z.array(numberTag),
  sms_enabled: z.boolean(),
  is_default: z.boolean().meta({ description: 'Preselected when numbers are bought' }),
  usage_count: z.number().meta({ description: 'Numbers it was last applied to' }),
  createdAt: instant,
  updatedAt: instant,
});

export type NumberTemplate = z.infer<typeof numberTemplate>;

export const settings = {
  name: short(120).min(1, 'Enter a name.'),
  description: short(500),
  /** A list, or an object keyed by ID as in responses. */
  routes: z.preprocess(
    (v) => (typeof v === 'object' && v !== null && !Array.isArray(v) ? Object.values(v) : v),
    routesIn,
  ),
  record: flag,
  call_transcription_enabled: flag,
  ai_eav_enabled: flag,
  recording_announcement: z.enum(['none', 'default', 'custom']),
  recording_announcement_text: short(1000).nullable(),
  schedule_id: id.nullable(),
  greeting_id: id.nullable(),
  voicemail: z
    .object({
      enabled: flag,
      greeting_id: id.nullable(),
      greeting: short(1000).nullable(),
      transcribe: flag,
      email: z.array(emailAddress).max(20, 'At most 20 addresses.'),
      sms_notify: flag,
    })
    .partial(),
  tags: z
    .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
    .max(50),
  sms_enabled: flag,
  is_default: flag,
};

export const patch = z.object(settings).partial();

export type NumberTemplatePatch = z.infer<typeof patch>;
