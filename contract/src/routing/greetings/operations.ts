import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import {
  content,
  greeting,
  type Greeting,
  greetingDetail,
  type GreetingDetail,
  greetingIn,
  greetingPatch,
  greetingType,
} from './schemas.ts';

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

const fileErrors = ['greeting.too_large', 'greeting.unreadable', 'greeting.not_spoken'];

export const listGreetings = operation({
  summary: 'List the greeting library',
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

export const listVoices = operation({
  summary: 'List the text-to-speech voices, each with a sample',
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

export const voiceSample = operation({
  summary: 'Get a sample of a voice as WAV',
  params: z.object({ voice: z.string().regex(/^[\w.-]{1,40}$/) }),
  contentType: 'audio/wav',
  answer: z.unknown(),
  example: { params: { voice: 'ava' } },
});

export const getGreeting = operation({
  summary: 'Get one greeting and where it’s used',
  object,
  params: z.object({ id }),
  answer: one(greetingDetail),
  example: { params: { id: 4100 }, answer: { data: detail } },
});

export const addGreeting = operation({
  summary:
    'Create a greeting: an MP3 or WAV file of at most 10 MB (multipart field `file`), or text to be read aloud',
  status: 201,
  body: greetingIn,
  answer: one(greetingDetail),
  errors: fileErrors,
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

export const updateGreeting = operation({
  object,
  params: z.object({ id }),
  body: greetingPatch,
  answer: one(greetingDetail),
  errors: fileErrors,
  etagOf: 'getGreeting',
  summary:
    'Update a greeting: its name, its text (converted to speech again) or its file. Calls play it immediately wherever it’s used',
  example: { params: { id: 4100 }, body: { name: 'Out of office' }, answer: { data: detail } },
});

export const updateGreetingByPost = operation({
  object,
  params: z.object({ id }),
  body: greetingPatch.extend({ _method: z.enum(['PUT', 'PATCH'], 'Send _method=PUT.') }),
  answer: one(greetingDetail),
  errors: fileErrors,
  etagOf: 'getGreeting',
  summary: 'Same as PUT, as multipart with `_method=PUT`',
  example: {
    params: { id: 4100 },
    body: { _method: 'PUT', name: 'Out of office' },
    answer: { data: detail },
  },
});

export const deleteGreeting = operation({
  summary: 'Delete a greeting that isn’t in use',
  object,
  status: 204,
  params: z.object({ id }),
  answer: empty,
  errors: ['greeting.in_use'],
  example: { params: { id: 4100 } },
});

export const speakGreeting = operation({
  summary: 'Preview text as speech before saving it; the audio is kept for an hour',
  body: z.object({
    content: content.min(1, 'Enter the text to read aloud.'),
    voice: z.string().max(40).nullish(),
    language: z.string().max(20).nullish(),
    ...companyIn,
  }),
  answer: one(z.object({ url: z.string(), duration_ms: z.number() })),
  errors: ['greeting.not_spoken'],
  example: {
    body: { content: 'Thank you for calling.', voice: 'ava' },
    answer: {
      data: { url: '/api/files/88?company=1&expires=1795252560&signature=Zm9v', duration_ms: 1400 },
    },
  },
});
