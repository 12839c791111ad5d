import type { Attribution } from '../tracking/match-schemas.ts';
import type { Call, EnhancedCallerId } from './schemas.ts';

export const at = '2026-11-21T09:15:04.000Z';

const noTranscription = {
  id: null,
  state: 'none' as const,
  text: '',
  raw: null,
  metadata: null,
  statistics: null,
};

export const callExample: Call = {
  id: 48213377024,
  company_id: 1,
  number: { id: 12, number: '+14155552368', label: 'Main line' },
  outbound: 0,
  from: '+12125550147',
  to: '+14155552368',
  caller_name: 'DANA REED',
  caller_city: 'New York',
  caller_state: 'NY',
  contact: { id: 77, name: 'Dana Reed' },
  conversation_id: 9001,
  status: 12,
  outcome: 1,
  started_at: at,
  answered_at: '2026-11-21T09:15:12.000Z',
  ended_at: '2026-11-21T09:17:12.000Z',
  ring_seconds: 8,
  talk_seconds: 120,
  duration: 128,
  billable_minutes: 3,
  first_contact: true,
  answered_by: { type: 'app', id: 5, label: 'Una User', number: null },
  extension: 2,
  extension_label: 'Sales',
  recording: {
    url: '/api/files/31?company=1&expires=1795253700&signature=…',
    duration: 120,
    peaks: [
      [0.1, 0.8],
      [0.4, 0.2],
    ],
    state: 'ready',
    expires_at: '2026-11-21T09:32:00.000Z',
    speakers: [2, 1],
  },
  voicemail: null,
  transcription: noTranscription,
  tags: [{ id: 3, name: 'New patient', color: 'teal' }],
  note: 'Wants a cleaning in May.',
  qualified: 1,
  lead: 0,
  outcome_tags: ['appt_booked'],
  department: 'sales',
  sentiment: { label: 'unknown', score: null },
  summary: null,
  value_cents: null,
  spam: 0,
  source: null,
  dni_pool_id: null,
  enhanced_caller_id: null,
  eavAttributeValues: [],
  history: [
    { at, code: 1, label: 'Started', leg: null, target: '+14155552368', detail: null, actor: null },
  ],
  legs: [
    {
      id: 'in-1',
      role: 'caller',
      label: 'Dana Reed',
      target: '+12125550147',
      state: 'ended',
      cause: 'hangup',
      started_at: at,
      answered_at: at,
      ended_at: '2026-11-21T09:17:12.000Z',
      ring_seconds: 0,
      talk_seconds: 128,
    },
  ],
  ai: null,
  phrases: [
    {
      list: { id: 8123, name: 'Booking' },
      spoken: [
        {
          phrase: 'book an appointment',
          speaker: 2,
          start_ms: 4200,
          end_ms: 5300,
          recording: 'call',
        },
      ],
    },
  ],
  path: [
    {
      at,
      node: 'route',
      rule: 'Sales',
      matched: true,
      because: 'The caller pressed 2.',
      target: null,
    },
  ],
  abandoned: null,
  created_at: at,
  updated_at: at,
};

const landing = 'https://www.harbordental.example/implants?gclid=EAIaIQob';
const visited = '2026-11-21T09:11:40.000Z';
const fromAd = {
  source: { id: 1, key: 'google_ads', label: 'Google Ads' },
  medium: 'cpc',
  campaign: 'implants-nyc',
  term: 'dental implants',
  content: null,
  landingUrl: landing,
};
export const attributionExample: Attribution = {
  kind: 'call',
  model: 'first_touch',
  matchLabel: 'exact',
  confidence: 100,
  matchedAt: at,
  pool: { id: 91, name: 'Website visitors' },
  visitorId: 'o7Jt1o2yS3G3l0QW7hJ0nA',
  sessionId: 48213376001,
  leaseId: 48213376002,
  ...fromAd,
  keyword: 'dental implants',
  referrer: 'https://www.google.com/',
  clickIds: { gclid: 'EAIaIQob' },
  device: 'mobile',
  ruleId: 'click.gclid',
  evidence: [
    { fact: 'number_shown', value: '', at: visited },
    { fact: 'source_rule', value: 'gclid', at: visited },
  ],
  candidates: [
    {
      sessionId: 48213376001,
      leaseId: 48213376002,
      share: 100,
      startedAt: visited,
      source: fromAd.source,
      campaign: fromAd.campaign,
      landingUrl: landing,
    },
  ],
  touches: [
    {
      sessionId: 48213376001,
      at: visited,
      ...fromAd,
      referrer: 'https://www.google.com/',
      pages: 3,
      isMatched: true,
    },
  ],
  credits: [
    {
      model: 'first_touch',
      credits: [{ sessionId: 48213376001, basisPoints: 10_000 }],
      fallback: null,
    },
  ],
};

export const callerIdExample: EnhancedCallerId = {
  number: '+12125550147',
  name: 'Dana Reed',
  type: 'person',
  line_type: 'mobile',
  carrier: 'Example Wireless',
  is_prepaid: false,
  is_commercial: false,
  age_range: '35-39',
  gender: null,
  emails: [],
  addresses: [{ street: '12 Elm St', city: 'New York', state: 'NY', zip: '10001' }],
  alternate_phones: [],
  business: null,
  checked_at: at,
  source: 'trestle',
};
