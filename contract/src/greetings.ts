/** The greetings library (decisions A7.4). Module: routing. */
import { z } from 'zod';
import {
  companyIn,
  empty,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';

export * from './greeting-rules.ts';
import { greetingSources, greetingTypes } from './greeting-rules.ts';

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
const content = z.string().trim().max(1000, 'At most 1000 characters.');
const more = {
  name,
  type: greetingType,
  content,
  voice: z.string().max(40).nullable(),
  language: z.string().max(20).nullable(),
  source: z.enum(['upload', 'recorded']),
  is_default: flag,
};
/** With a `file` it is an upload (or a recording); without one the words are read aloud. */
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

const example: Greeting = {
  id: 4100,
  name: 'Out of office',
  type: 'voicemail',
  content: 'Thank you for calling. Please leave a message.',
  voice: 'ava',
  language: 'en-US',
  file_url: '/api/files/88?company=1&expires=1795252560&signature=Zm9v',
  duration_ms: 3200,
  source: 'tts',
  is_default: false,
  used_by_count: 1,
  created_at: '2026-11-21T09:15:04.000Z',
  updated_at: '2026-11-21T09:15:04.000Z',
};
const detail: GreetingDetail = {
  ...example,
  used_by: [
    { kind: 'number', id: 11, number_id: 11, label: '(415) 555-2368 Front desk', as: 'voicemail' },
  ],
};
const object = { table: 'greeting', param: 'id' };
const fileRefusals = ['greeting.too_large', 'greeting.unreadable', 'greeting.not_spoken'];

export const listGreetings = endpoint({
  name: 'listGreetings',
  method: 'GET',
  path: '/greetings',
  summary: 'List the greeting library',
  permission: 'routing.view',
  company: 'given',
  paged: true,
  query: listQuery(
    {
      sort: sortBy('name', 'type', 'duration_ms', 'created_at', 'updated_at'),
      search: z.string().trim().max(80).optional(),
      type: greetingType.optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(greeting),
  example: { query: { type: 'voicemail' }, answer: { data: [example] } },
});
export const listVoices = endpoint({
  name: 'listVoices',
  method: 'GET',
  path: '/greetings/voices',
  summary: 'List the text-to-speech voices, each with a sample',
  permission: 'routing.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        language: z.string(),
        gender: z.enum(['female', 'male', 'neutral']),
        engine: z.string(),
        sample_url: z.string(),
      }),
    ),
  }),
  example: {
    query: {},
    answer: {
      data: [
        {
          id: 'ava',
          name: 'Ava (US English)',
          language: 'en-US',
          gender: 'female',
          engine: 'espeak-ng',
          sample_url: '/api/greetings/voices/ava/sample',
        },
      ],
    },
  },
});
export const voiceSample = endpoint({
  name: 'voiceSample',
  method: 'GET',
  path: '/greetings/voices/{voice}/sample',
  summary: 'Get a sample of a voice as WAV',
  permission: 'session',
  company: 'none',
  params: z.object({ voice: z.string().regex(/^[\w.-]{1,40}$/) }),
  contentType: 'audio/wav',
  answer: z.unknown(),
  example: { params: { voice: 'ava' } },
});
export const getGreeting = endpoint({
  name: 'getGreeting',
  method: 'GET',
  path: '/greetings/{id}',
  summary: 'Get one greeting and where it’s used',
  permission: 'routing.view',
  company: 'object',
  object,
  params: z.object({ id }),
  answer: one(greetingDetail),
  example: { params: { id: 4100 }, answer: { data: detail } },
});
export const addGreeting = endpoint({
  name: 'addGreeting',
  method: 'POST',
  path: '/greetings',
  summary:
    'Create a greeting: an MP3 or WAV file of at most 10 MB (multipart field `file`), or text to be read aloud',
  permission: 'routing.edit',
  company: 'given',
  multipart: true,
  status: 201,
  body: greetingIn,
  answer: one(greetingDetail),
  refusals: fileRefusals,
  example: {
    body: {
      name: 'Out of office',
      type: 'voicemail',
      content: 'Thank you for calling. Please leave a message.',
      voice: 'ava',
    },
    answer: { data: detail },
  },
});
export const updateGreeting = endpoint({
  path: '/greetings/{id}',
  permission: 'routing.edit',
  company: 'object',
  object,
  multipart: true,
  params: z.object({ id }),
  body: greetingPatch,
  answer: one(greetingDetail),
  refusals: fileRefusals,
  etagOf: 'getGreeting',
  name: 'updateGreeting',
  method: 'PUT',
  summary:
    'Update a greeting: its name, its text (converted to speech again) or its file. Calls play it immediately wherever it’s used',
  example: { params: { id: 4100 }, body: { name: 'Out of office' }, answer: { data: detail } },
});
/** Files travel by POST: multipart with `_method=PUT` (B §7). */
export const updateGreetingByPost = endpoint({
  path: '/greetings/{id}',
  permission: 'routing.edit',
  company: 'object',
  object,
  multipart: true,
  params: z.object({ id }),
  body: greetingPatch.extend({ _method: z.enum(['PUT', 'PATCH'], 'Send _method=PUT.') }),
  answer: one(greetingDetail),
  refusals: fileRefusals,
  etagOf: 'getGreeting',
  name: 'updateGreetingByPost',
  method: 'POST',
  summary: 'Same as PUT, as multipart with `_method=PUT`',
  example: {
    params: { id: 4100 },
    body: { _method: 'PUT', name: 'Out of office' },
    answer: { data: detail },
  },
});
export const deleteGreeting = endpoint({
  name: 'deleteGreeting',
  method: 'DELETE',
  path: '/greetings/{id}',
  summary: 'Delete a greeting that isn’t in use',
  permission: 'routing.edit',
  company: 'object',
  object,
  status: 204,
  params: z.object({ id }),
  answer: empty,
  refusals: ['greeting.in_use'],
  example: { params: { id: 4100 } },
});
export const speakGreeting = endpoint({
  name: 'speakGreeting',
  method: 'POST',
  path: '/greetings/speak',
  summary: 'Preview text as speech before saving it; the audio is kept for an hour',
  permission: 'routing.edit',
  company: 'given',
  body: z.object({
    content: content.min(1, 'Enter the text to read aloud.'),
    voice: z.string().max(40).nullish(),
    language: z.string().max(20).nullish(),
    ...companyIn,
  }),
  answer: one(z.object({ url: z.string(), duration_ms: z.number() })),
  refusals: ['greeting.not_spoken'],
  example: {
    body: { content: 'Thank you for calling.', voice: 'ava' },
    answer: {
      data: { url: '/api/files/88?company=1&expires=1795252560&signature=Zm9v', duration_ms: 1400 },
    },
  },
});

export const greetingChanged = event({
  name: 'greeting.changed',
  channel: 'companies',
  data: z.object({
    companyId: id,
    greetingId: id,
    change: z.enum(['added', 'updated', 'deleted']),
  }),
  touches: ['listGreetings', 'getGreeting'],
});
