import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';
import { ga4Body, ga4Integration, type Ga4Integration } from './schemas.ts';

const params = z.object({ companyId: id });
const oneParams = params.extend({ id });
const companyId = 7300412;
const example: Ga4Integration = {
  id: 6310,
  companyId,
  name: 'Website',
  measurementId: 'G-ABC123DEF4',
  apiSecret: '…wxyz',
  propertyId: null,
  enabled: true,
  scope: { type: 'all' },
  events: [
    {
      trigger: 'call.completed',
      eventName: 'phone_call',
      minDuration: 30,
      firstContactOnly: false,
      qualifiedOnly: false,
      sendValue: false,
      currency: 'USD',
    },
  ],
  parameters: { call_id: 'call_id', source: 'source' },
  userProperties: {},
  clientIdPolicy: 'generate',
  sendSessionId: true,
  sendUserIdHash: false,
  nonPersonalizedAds: false,
  consent: { ad_user_data: 'DENIED', ad_personalization: 'DENIED' },
  debugMode: false,
  lastSentAt: null,
  lastStatus: 'ok',
  lastMessages: [],
  sent24h: 0,
  createdAt: '2026-11-21T09:15:04.000Z',
  updatedAt: '2026-11-21T09:15:04.000Z',
};
const body = {
  name: example.name,
  measurementId: example.measurementId,
  apiSecret: 'abcdefghijklmnopqrwxyz',
  events: example.events,
};

export const listGa4Integrations = operation({
  summary: 'List where events are sent to Google Analytics, oldest first',
  params,
  answer: z.object({
    data: z.array(ga4Integration),
    meta: z.object({
      simulated: z.boolean().meta({ description: 'Nothing leaves this installation' }),
    }),
  }),
  example: { params: { companyId }, answer: { data: [example], meta: { simulated: false } } },
});

export const createGa4Integration = operation({
  summary:
    'Send calls and texts to Google Analytics as events. Google checks a sample first: what it refuses is refused here',
  limit: 'codes',
  status: 201,
  params,
  body: ga4Body,
  answer: one(ga4Integration),
  errors: ['integration.too_many'],
  example: { params: { companyId }, body, answer: { data: example } },
});

export const getGa4Integration = operation({
  summary: 'One Google Analytics integration',
  params: oneParams,
  answer: one(ga4Integration),
  errors: ['not_found'],
  example: { params: { companyId, id: 6310 }, answer: { data: example } },
});

export const updateGa4Integration = operation({
  summary: 'Replace a Google Analytics integration. Google checks it as when it is added',
  limit: 'codes',
  params: oneParams,
  body: ga4Body,
  answer: one(ga4Integration),
  errors: ['not_found'],
  example: { params: { companyId, id: 6310 }, body, answer: { data: example } },
});

export const deleteGa4Integration = operation({
  summary: 'Delete a Google Analytics integration with the log of its deliveries',
  params: oneParams,
  status: 204,
  answer: empty,
  errors: ['not_found'],
  example: { params: { companyId, id: 6310 } },
});
