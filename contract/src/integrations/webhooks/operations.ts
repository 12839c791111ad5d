import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, instant, one } from '../../schemas.ts';
import { deliveryEvents } from '../rules.ts';
import { exampleRule } from '../schemas.ts';
import { longestOverlapHours, webhookOverlapHours } from './rules.ts';
import { webhook, webhookBody, type Webhook } from './schemas.ts';

const params = z.object({ companyId: id });
const oneParams = params.extend({ id });
const companyId = 7300412;
const rules = [{ ...exampleRule, event: 'call.missed' as const, first_contact_only: false }];
const example: Webhook = {
  id: 6210,
  name: 'Our CRM',
  url: 'https://crm.example.com/hooks/trunkline',
  status: 'active',
  off_because: null,
  failing_since: null,
  rules,
  secret_hint: '…k4Q=',
  old_secret_until: null,
  last_sent_at: '2026-11-21T09:15:04.000Z',
  last_error: null,
  sent_30d: 214,
  failed_30d: 0,
  created_by: 9,
  created_at: '2026-11-21T09:15:04.000Z',
  updated_at: '2026-11-21T09:15:04.000Z',
};
const body = { name: example.name, url: example.url, rules };
const signing_secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const listWebhooks = operation({
  summary: 'List the addresses that events are sent to, oldest first',
  params,
  answer: z.object({
    data: z.array(webhook),
    meta: z.object({
      simulated: z.boolean().meta({ description: 'Nothing leaves this installation' }),
    }),
  }),
  example: { params: { companyId }, answer: { data: [example], meta: { simulated: false } } },
});

export const createWebhook = operation({
  summary:
    'Send events to an address, signed by the Standard Webhooks convention. The answer shows the secret this once',
  limit: 'codes',
  status: 201,
  params,
  body: webhookBody,
  answer: one(z.object({ webhook, signing_secret: z.string() })),
  errors: ['integration.too_many'],
  example: {
    params: { companyId },
    body,
    answer: { data: { webhook: { ...example, last_sent_at: null, sent_30d: 0 }, signing_secret } },
  },
});

export const updateWebhook = operation({
  summary: 'Replace an endpoint, also to turn it off or on again. Its secret stays',
  params: oneParams,
  body: webhookBody,
  answer: one(webhook),
  errors: ['not_found'],
  example: { params: { companyId, id: 6210 }, body, answer: { data: example } },
});

export const deleteWebhook = operation({
  summary: 'Delete an endpoint with the log of its deliveries',
  params: oneParams,
  status: 204,
  answer: empty,
  errors: ['not_found'],
  example: { params: { companyId, id: 6210 } },
});

export const rotateWebhookSecret = operation({
  summary:
    'Replace the secret of an endpoint. Both sign until the old one ends. The answer shows the new one this once',
  limit: 'codes',
  params: oneParams,
  body: z.object({
    overlap_hours: z
      .number()
      .int()
      .min(0)
      .max(longestOverlapHours)
      .default(webhookOverlapHours)
      .meta({ description: 'How long the old secret signs as well. 0: it stops at once' }),
  }),
  answer: one(z.object({ signing_secret: z.string(), old_secret_until: instant.nullable() })),
  errors: ['not_found'],
  example: {
    params: { companyId, id: 6210 },
    body: { overlap_hours: 24 },
    answer: { data: { signing_secret, old_secret_until: '2026-11-22T09:15:04.000Z' } },
  },
});

export const testWebhook = operation({
  summary:
    'Send a made-up event to an endpoint now, with `"test": true`. It isn’t tried again and isn’t in the log',
  limit: 'codes',
  params: oneParams,
  body: z.object({ event: z.enum(deliveryEvents) }),
  answer: one(
    z.object({
      taken: z.boolean(),
      response_code: z.number().nullable(),
      response_excerpt: z.string().nullable(),
      error: z.string().nullable(),
      duration_ms: z.number(),
      request: z.string().meta({ description: 'What was sent, without its signature' }),
    }),
  ),
  errors: ['not_found'],
  example: {
    params: { companyId, id: 6210 },
    body: { event: 'call.missed' as const },
    answer: {
      data: {
        taken: true,
        response_code: 200,
        response_excerpt: 'OK',
        error: null,
        duration_ms: 84,
        request: 'POST https://crm.example.com/hooks/trunkline\n\n{"type":"call.missed"}',
      },
    },
  },
});
