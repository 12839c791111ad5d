import { z } from 'zod';
import { operation } from '../../operation.ts';
import { one } from '../../schemas.ts';
import { connectionParams, slackConfig } from '../oauth-integrations/configs.ts';
import { oauthIntegration, type OAuthIntegration } from '../oauth-integrations/schemas.ts';
import { exampleRule } from '../schemas.ts';

const params = { companyId: 7300412, id: 4411 };
const config = {
  channels: [
    {
      id: 'C0FRONT',
      name: 'front-desk',
      rules: [{ ...exampleRule, event: 'call.missed' as const, first_contact_only: false }],
    },
  ],
};
const example: OAuthIntegration = {
  id: 4411,
  provider: 'slackbot',
  status: 'active',
  account: { external_id: 'T0HARBOR', name: 'Harbor Dental', email: null },
  scopes: ['chat:write'],
  config,
  last_sync_at: '2026-11-21T09:15:04.000Z',
  last_success_at: '2026-11-21T09:15:04.000Z',
  last_error: null,
  sent_30d: 14,
  failed_30d: 0,
  destinations: [
    {
      id: 6320,
      key: 'C0FRONT',
      name: '#front-desk',
      last_sent_at: '2026-11-21T09:15:04.000Z',
      last_error: null,
      sent_30d: 14,
      failed_30d: 0,
    },
  ],
  created_by: 9,
  created_at: '2026-11-20T09:15:04.000Z',
};

export const listSlackChannels = operation({
  summary: 'List the channels of a connected Slack workspace that can be posted to',
  params: connectionParams,
  answer: one(z.array(z.object({ id: z.string(), name: z.string(), is_private: z.boolean() }))),
  errors: ['not_found', 'integration.lookup_refused', 'integration.reconnect', 'integration.away'],
  example: {
    params,
    answer: { data: [{ id: 'C0FRONT', name: 'front-desk', is_private: false }] },
  },
});

export const configureSlack = operation({
  summary:
    'Set what is posted to which channels of a connected Slack workspace. Each new channel gets a test message first: where Slack refuses it, nothing is changed',
  params: connectionParams,
  body: z.object({
    config: slackConfig,
    test_channels: z.array(z.string().max(120)).max(20).optional().meta({
      description: 'IDs of channels that get a test message; left out: those that are new',
    }),
  }),
  answer: one(oauthIntegration),
  errors: ['not_found', 'integration.reconnect', 'integration.away'],
  example: { params, body: { config }, answer: { data: example } },
});
