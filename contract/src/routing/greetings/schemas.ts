import { z } from 'zod';
import { companyIn, flag, id, instant } from '../../schemas.ts';
import { greetingSources, greetingTypes } from './rules.ts';

export const greetingType = z
  .enum(greetingTypes, 'Choose what this greeting is for.')
  .meta({ description: 'The purpose' });

const place = z.object({
  kind: z.enum(['number', 'menu', 'route']),
  id,
  number_id: id,
  label: z.string().meta({ description: 'The number it belongs to, formatted for display' }),
  as: z.string().meta({ description: 'Its use there: voicemail, menu, hold music …' }),
});

export const greeting = z.object({
  id,
  name: z.string(),
  type: greetingType,
  content: z.string(),
  voice: z.string().nullable(),
  language: z.string().nullable(),
  file_url: z.string().meta({ description: 'Signed, valid for 15 minutes' }),
  duration_ms: z.number(),
  source: z.enum(greetingSources),
  is_default: z
    .boolean()
    .meta({ description: 'Played where a greeting of this type is needed and none is set' }),
  used_by_count: z.number(),
  created_at: instant,
  updated_at: instant,
});

export type Greeting = z.infer<typeof greeting>;

export const greetingDetail = greeting.extend({ used_by: z.array(place) });

export type GreetingDetail = z.infer<typeof greetingDetail>;

const name = z
  .string('Enter a name.')
  .trim()
  .min(1, 'Enter a name.')
  .max(80, 'At most 80 characters.');

export const content = z.string().trim().max(1000, 'At most 1000 characters.');

const more = {
  name,
  type: greetingType,
  content,
  voice: z.string().max(40).nullable(),
  language: z.string().max(20).nullable(),
  source: z.enum(['upload', 'recorded']),
  is_default: flag,
};

/** With `file`: an upload or recording; without: text that is read aloud. */
export const greetingIn = z.object({
  name,
  type: greetingType.default('voicemail'),
  content: content.default(''),
  voice: more.voice.optional(),
  language: more.language.optional(),
  source: more.source.optional(),
  is_default: flag.default(false),
  ...companyIn,
});

export const greetingPatch = z
  .object(more)
  .partial()
  .extend({ _method: z.string().optional(), ...companyIn });
