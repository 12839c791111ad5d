import type { DeliveryEvent } from '#contract/integrations/rules';
import { deliveryRule } from '#contract/integrations/schemas';
import type { DeliveryFacts, Speech } from '../../../gateways/destination.ts';

/** A call of no one, to try a receiver with. */
export const sampleFacts = (now: Date): DeliveryFacts => ({
  event: 'call.missed',
  happenedAt: now,
  subject: { type: 'call', id: 1 },
  company: { id: 1, name: 'Sample', timezone: 'UTC' },
  number: { id: 1, number: '+12065550100', label: 'Main line', poolId: null },
  party: 'anonymous',
  outbound: false,
  contact: null,
  callerName: null,
  outcome: 'answered',
  answeredBy: null,
  answeredById: null,
  durationSeconds: 60,
  talkSeconds: 50,
  firstContact: true,
  qualified: true,
  lead: true,
  isSpam: false,
  outcomeTags: ['opportunity'],
  department: 'sales',
  valueCents: 10_000,
  source: {
    key: 'google-ads',
    label: 'Google Ads',
    medium: 'cpc',
    campaign: 'Sample',
    keyword: 'sample',
    landingUrl: 'https://example.com/',
  },
  adContent: 'sample',
  cookies: {},
  clicks: [],
  summary: null,
  transcript: null,
  text: null,
  hasRecording: false,
  customFields: [],
  form: null,
  conversationId: null,
  link: '',
  masksDetails: false,
});

/** What a provider speaks with to try a receiver. */
export const sampleSpeech = <Config>(
  now: Date,
  event: DeliveryEvent,
  { config, secret }: { config: Config; secret: string | null },
): Speech<Config> => ({
  ...{ config, secret, now },
  facts: { ...sampleFacts(now), event },
  rule: deliveryRule.parse({ event }),
  thread: { no: 1, rootId: 1, rootRef: null },
  platform: 'Trunkline',
  id: '',
  isTest: true,
  known: {},
  isRetry: false,
});
