import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, instant, one } from '../../schemas.ts';
import { auditEntryDetail } from '../audit/schemas.ts';

const params = z.object({ companyId: id });
const streamParams = params.extend({ streamId: id });
const address = z.url({ protocol: /^https$/, error: 'Enter an address that begins with https.' });

const auditStream = z.object({
  id,
  kind: z.enum(['webhook', 's3']),
  target: z.string().meta({ description: 'The address, or the bucket with its prefix' }),
  state: z.enum(['active', 'paused']),
  paused_because: z
    .enum(['person', 'failing'])
    .nullable()
    .meta({ description: '`failing`: its receiver refused everything for a day' }),
  sent_count: z.number(),
  waiting: z.number().meta({ description: 'Entries still to be sent; at most 10,000 are counted' }),
  failures: z.number().meta({ description: 'Failed tries in a row' }),
  last_error: z.string().nullable(),
  last_sent_at: instant.nullable(),
  next_try_at: instant.nullable().meta({ description: 'After a failure; null: at once' }),
  created_at: instant,
});
const example = {
  id: 5120,
  kind: 'webhook' as const,
  target: 'https://logs.harbor.example/trunkline',
  state: 'active' as const,
  paused_because: null,
  sent_count: 410,
  waiting: 0,
  failures: 0,
  last_error: null,
  last_sent_at: '2026-11-26T09:15:04.000Z',
  next_try_at: null,
  created_at: '2026-11-21T09:15:04.000Z',
};
const companyId = 7300412;

export const readAuditFeed = operation({
  summary:
    'Read the audit log oldest first, to copy it elsewhere: with `meta.next_cursor` as `after` nothing is skipped or read twice, also while entries are added. Billing and users get what they can see',
  params,
  query: z.object({
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'Use the cursor of the answer before.')
      .optional(),
    limit: z.coerce.number().int().min(1).max(1000).default(200),
  }),
  answer: z.object({
    data: z.array(auditEntryDetail),
    meta: z.object({
      next_cursor: z.string().meta({ description: 'Also of an empty answer: ask again later' }),
      has_more: z.boolean(),
    }),
  }),
  example: {
    params: { companyId },
    query: { after: '4100', limit: 200 },
    answer: { data: [], meta: { next_cursor: '4100', has_more: false } },
  },
});

export const listAuditStreams = operation({
  summary: 'List the receivers of the audit log with their state and last error',
  params,
  answer: z.object({
    data: z.array(auditStream),
    meta: z.object({
      simulated: z.boolean().meta({ description: 'Nothing leaves this installation' }),
    }),
  }),
  example: {
    params: { companyId },
    answer: { data: [example], meta: { simulated: false } },
  },
});

const line = (most: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, message)
    .max(most)
    .regex(/^[!-~]+$/, message);

export const createAuditStream = operation({
  summary:
    'Send the audit log on as it grows: signed to a webhook, or as JSON lines to a bucket. At least once; entries keep their `id`. The answer alone holds the webhook’s signing secret',
  limit: 'codes',
  status: 201,
  params,
  body: z.object({
    from_beginning: z
      .boolean()
      .default(false)
      .meta({ description: 'Also what the log holds already' }),
    target: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('webhook'), url: address.max(500) }),
      z.object({
        kind: z.literal('s3'),
        bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Enter the bucket’s name.'),
        region: z.string().regex(/^[a-z0-9-]{2,40}$/, 'Enter a region such as us-east-1.'),
        endpoint: address.max(300).nullable().default(null).meta({
          description: 'Null: Amazon’s own',
        }),
        prefix: z
          .string()
          .regex(/^[\w./-]{0,100}$/, 'Use letters, digits, hyphens and slashes.')
          .default(''),
        access_key_id: line(128, 'Enter the access key ID.'),
        secret_access_key: line(256, 'Enter the secret access key.'),
      }),
    ]),
  }),
  answer: one(
    z.object({
      stream: auditStream,
      signing_secret: z
        .string()
        .nullable()
        .meta({ description: 'Of a webhook; it isn’t shown again' }),
    }),
  ),
  errors: ['audit_stream.too_many'],
  example: {
    params: { companyId },
    body: {
      from_beginning: false,
      target: { kind: 'webhook', url: 'https://logs.harbor.example/trunkline' },
    },
    answer: { data: { stream: example, signing_secret: 'whsec_c2VjcmV0' } },
  },
});

export const setAuditStreamState = operation({
  summary: 'Pause a stream, or resume it where it stopped',
  params: streamParams,
  body: z.object({ state: z.enum(['active', 'paused']) }),
  answer: one(auditStream),
  errors: ['not_found'],
  example: {
    params: { companyId, streamId: 5120 },
    body: { state: 'paused' },
    answer: { data: { ...example, state: 'paused' as const, paused_because: 'person' as const } },
  },
});

export const deleteAuditStream = operation({
  summary: 'Stop sending the audit log to a receiver; what it has stays there',
  params: streamParams,
  status: 204,
  answer: empty,
  errors: ['not_found'],
  example: { params: { companyId, streamId: 5120 } },
});
