import { z } from 'zod';
import { oauthProviders } from '../../connections/schemas.ts';
import { operation } from '../../operation.ts';
import { id, instant, one } from '../../schemas.ts';
import { anyConfig, connectionParams } from './configs.ts';
import { lookupKinds, mostLookedUp } from './rules.ts';
import { lookupItem, oauthIntegration, offeredProvider, type OAuthIntegration } from './schemas.ts';

const companyId = 7300412;
const params = { companyId, id: 4410 };
const batchId = '0199a8f0-0000-7000-8000-000000000002';
const example: OAuthIntegration = {
  id: 4410,
  provider: 'hubspot',
  status: 'connected',
  account: {
    external_id: '62515',
    name: 'harbor.example.com',
    email: 'ann@harbor.example.com',
  },
  scopes: ['crm.objects.contacts.read'],
  config: {},
  last_sync_at: null,
  last_success_at: '2026-11-21T09:15:04.000Z',
  last_error: null,
  sent_30d: 0,
  failed_30d: 0,
  destinations: [],
  created_by: 9,
  created_at: '2026-11-21T09:15:04.000Z',
};

export const listOAuthIntegrations = operation({
  summary: 'List the connected accounts, oldest first, and the providers that can be connected',
  params: z.object({ companyId: id }),
  answer: z.object({
    data: z.array(oauthIntegration),
    providers: z.array(offeredProvider),
    meta: z.object({
      simulated: z.boolean().meta({ description: 'Nothing leaves this installation' }),
    }),
  }),
  example: {
    params: { companyId },
    answer: {
      data: [example],
      providers: [
        {
          name: 'hubspot',
          label: oauthProviders.hubspot,
          ready: true,
          delivers: false,
          setup: null,
        },
      ],
      meta: { simulated: false },
    },
  },
});

export const getOAuthIntegration = operation({
  summary: 'One connected account with its configuration and health',
  params: connectionParams,
  answer: one(oauthIntegration),
  errors: ['not_found'],
  example: { params, answer: { data: example } },
});

export const updateOAuthIntegration = operation({
  summary: 'Replace the configuration of a connected account. Whether it’s active stays as it is',
  params: connectionParams,
  body: z.object({ config: anyConfig }),
  answer: one(oauthIntegration),
  errors: ['not_found'],
  example: {
    params,
    body: { config: { create_contact: true } },
    answer: { data: { ...example, config: { create_contact: true } } },
  },
});

export const activateOAuthIntegration = operation({
  summary:
    'Start delivering with a connected account, once it has been read. It’s `activating` until then',
  params: connectionParams,
  body: z.object({ config: anyConfig.optional() }),
  answer: one(oauthIntegration),
  errors: ['not_found', 'integration.delivers_nothing', 'integration.reconnect'],
  example: { params, body: {}, answer: { data: { ...example, status: 'activating' as const } } },
});

export const syncOAuthIntegration = operation({
  summary: 'Read a connected account again: its name, and whether access still works',
  status: 202,
  params: connectionParams,
  answer: one(z.object({ batchId: z.uuid(), status: z.literal('queued') })),
  errors: ['not_found', 'integration.reconnect'],
  example: { params, answer: { data: { batchId, status: 'queued' as const } } },
});

export const oauthSyncProgress = operation({
  summary: 'Get the progress of reading an account',
  params: z.object({ companyId: id, batchId: z.uuid() }),
  answer: one(
    z.object({
      id: z.string(),
      progress: z.number().meta({ description: '0 to 100' }),
      finishedAt: instant.nullable(),
      total: z.number(),
      processed: z.number(),
      failed: z.number(),
      resultUrl: z.string().nullable(),
      errors: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
    }),
  ),
  errors: ['not_found'],
  example: {
    params: { companyId, batchId },
    answer: {
      data: {
        id: batchId,
        progress: 100,
        finishedAt: '2026-11-21T09:15:09.000Z',
        total: 1,
        processed: 1,
        failed: 0,
        resultUrl: null,
        errors: [],
      },
    },
  },
});

export const deactivateOAuthIntegration = operation({
  summary: 'Stop delivering with a connected account. Its configuration is kept',
  params: connectionParams,
  answer: one(oauthIntegration),
  errors: ['not_found'],
  example: { params, answer: { data: { ...example, status: 'inactive' as const } } },
});

export const removeOAuthIntegration = operation({
  summary: 'Disconnect an account: its tokens are erased here and revoked at the provider',
  params: connectionParams,
  answer: one(
    z.object({
      revoked: z.boolean().meta({
        description: 'Whether the provider confirmed. If not, remove the app there as well',
      }),
    }),
  ),
  errors: ['not_found'],
  example: { params, answer: { data: { revoked: true } } },
});

export const lookUpOAuthIntegration = operation({
  summary: `List what a connected account has, to choose from. At most ${mostLookedUp} entries`,
  params: connectionParams.extend({ kind: z.enum(lookupKinds) }),
  query: z.object({
    parent: z
      .string()
      .max(120)
      .optional()
      .meta({ description: 'ID of the customer, business or ad account they belong to' }),
  }),
  answer: one(z.array(lookupItem)),
  errors: [
    'not_found',
    'integration.no_lookup',
    'integration.lookup_refused',
    'integration.reconnect',
    'integration.away',
  ],
  example: {
    params: { ...params, kind: 'campaigns' as const },
    query: { parent: '123-456-7890' },
    answer: { data: [{ id: '21', name: 'Implants', detail: 'Active' }] },
  },
});
