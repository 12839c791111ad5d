import { z } from 'zod';
import { fieldValue, fieldValuesIn } from './fields.ts';
import { companyIn, empty, endpoint, event, flag, id, instant, one } from './kit.ts';
import { companyRoles } from './permissions.ts';

/** Call status codes (A §4), in the exact sense of decisions A5.1. 5 and 9 are said of a leg only. */
export const callStatusLabels = {
  1: 'Started',
  2: 'Extension Selected',
  3: 'Hangup',
  4: 'Voicemail',
  5: 'No Answer',
  6: 'Received',
  7: 'Rejected',
  8: 'No Answer',
  9: 'Answered Already',
  10: 'Missed',
  11: 'Hangup',
  12: 'Connected',
  13: 'Blocked',
} as const;
export type CallStatus = keyof typeof callStatusLabels;
/** Call outcome codes (A §4). */
export const callOutcomes = { none: 0, answered: 1, missed: 2, voicemail: 3, blocked: 4 } as const;
export type CallOutcome = (typeof callOutcomes)[keyof typeof callOutcomes];
export const callOutcomeLabels: Record<CallOutcome, string> = {
  0: 'In progress',
  1: 'Answered',
  2: 'Missed',
  3: 'Voicemail',
  4: 'Blocked',
};
/** The status a call ended with → its outcome (A5.1). A status that is not final has none. */
export const outcomeOfStatus: Record<CallStatus, CallOutcome> = {
  1: 0,
  2: 0,
  3: 2,
  4: 3,
  5: 0,
  6: 1,
  7: 2,
  8: 2,
  9: 0,
  10: 2,
  11: 2,
  12: 1,
  13: 4,
};
/** Speaker codes (A §4). */
export const speakers = { mixed: 0, agent: 1, client: 2 } as const;

/** B §3 enums. */
export const departments = [
  'sales',
  'service',
  'parts',
  'trade',
  'credit',
  'body_shop',
  'admin',
  'accessories',
  'hr',
  'custom_shop',
  'rentals',
  'unknown',
  'quick_lube',
] as const;
export const outcomeTags = [
  'appt_booked',
  'vehicle_ordered',
  'parts_ordered',
  'get_back_commitment',
  'not_opportunity',
  'opportunity',
  'unknown',
] as const;

const bit = z.union([z.literal(0), z.literal(1)]);
const status = z
  .number()
  .int()
  .min(1)
  .max(13)
  .meta({ description: 'Call status code: 1 Started … 13 Blocked' });
const outcome = z
  .number()
  .int()
  .min(0)
  .max(4)
  .meta({ description: 'none 0, answered 1, missed 2, voicemail 3, blocked 4' });

export const callTag = z.object({ id, name: z.string(), color: z.string() });
export const answeredBy = z.object({
  type: z.enum(['user', 'forward', 'app', 'voicemail']),
  id: id.nullable(),
  label: z.string(),
  number: z.string().nullable(),
});

/** A9.3, word for word. */
export const transcription = z.object({
  id: id.nullable(),
  state: z.enum(['none', 'queued', 'processing', 'ready', 'failed', 'skipped', 'redacted']),
  text: z.string(),
  raw: z.unknown(),
  metadata: z
    .object({
      engine: z.string(),
      model: z.string().nullable(),
      language: z.string(),
      confidence: z.number().nullable(),
      duration_ms: z.number(),
      channels: z.number(),
      created_at: instant,
      redactions: z.array(z.object({ kind: z.string(), start_ms: z.number(), end_ms: z.number() })),
      segments: z.array(
        z.object({
          i: z.number(),
          speaker: z.union([z.literal(0), z.literal(1), z.literal(2)]),
          channel: z.number(),
          start_ms: z.number(),
          end_ms: z.number(),
          text: z.string(),
          confidence: z.number(),
          words: z.array(
            z.object({
              w: z.string(),
              start_ms: z.number(),
              end_ms: z.number(),
              confidence: z.number(),
            }),
          ),
        }),
      ),
      keywords: z.array(
        z.object({ term: z.string(), count: z.number(), segments: z.array(z.number()) }),
      ),
      topics: z.array(z.string()),
      summary: z.object({ text: z.string(), bullets: z.array(z.string()) }).nullable(),
      sentiment: z
        .object({
          overall: z.string(),
          agent: z.string().nullable(),
          client: z.string().nullable(),
          timeline: z.array(z.object({ at_ms: z.number(), score: z.number() })),
        })
        .nullable(),
      skipped_reason: z.string().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
  statistics: z
    .object({
      agent: z.object({ percent: z.number(), seconds: z.number(), words: z.number() }),
      client: z.object({ percent: z.number(), seconds: z.number(), words: z.number() }),
      silence_percent: z.number(),
      overtalk_seconds: z.number(),
      longest_monologue_seconds: z.number(),
    })
    .nullable(),
});

/** `peaks`: 0 to 1, one list a channel (0 the caller's side of a call, 1 the other), evenly spread over `duration`. */
const audio = {
  url: z.string().nullable(),
  duration: z.number().meta({ description: 'Seconds' }),
  peaks: z.array(z.array(z.number())),
};
export const callRecording = z.object({
  ...audio,
  state: z.enum(['none', 'pending', 'ready', 'deleted', 'redacted']),
  expires_at: instant.nullable(),
  speakers: z.array(z.number()),
});
export const callVoicemail = z.object({ id, ...audio, transcription: transcription.nullable() });

export const callHistory = z.object({
  at: instant,
  code: status.nullable(),
  label: z.string(),
  leg: z.string().nullable(),
  target: z.string().nullable(),
  detail: z.string().nullable(),
  actor: z.string().nullable(),
});
export const callLeg = z.object({
  id: z.string(),
  role: z.enum(['caller', 'agent', 'target', 'monitor']),
  label: z.string(),
  target: z.string().nullable(),
  state: z.string(),
  cause: z.string().nullable(),
  started_at: instant,
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
  ring_seconds: z.number(),
  talk_seconds: z.number(),
});
/** Why the call went where it went; the same words as simulation (A7.2). */
export const callStep = z.object({
  at: instant,
  node: z.string(),
  rule: z.string(),
  matched: z.boolean(),
  because: z.string(),
  target: z.string().nullable(),
});

/** A9.1. `path` and `version` are ours. */
export const call = z.object({
  id,
  company_id: id,
  number: z.object({ id, number: z.string(), label: z.string() }),
  outbound: bit,
  from: z.string(),
  to: z.string(),
  caller_name: z.string().nullable(),
  caller_city: z.string().nullable(),
  caller_state: z.string().nullable(),
  contact: z.object({ id, name: z.string() }).nullable(),
  conversation_id: id.nullable(),
  status,
  outcome,
  started_at: instant,
  answered_at: instant.nullable(),
  ended_at: instant.nullable(),
  ring_seconds: z.number(),
  talk_seconds: z.number(),
  duration: z
    .number()
    .meta({ description: 'Seconds from the first ring to the end; 0 while running' }),
  billable_minutes: z.number(),
  first_contact: z.boolean(),
  answered_by: answeredBy.nullable(),
  extension: z.number().nullable(),
  extension_label: z.string().nullable(),
  recording: callRecording,
  voicemail: callVoicemail.nullable(),
  transcription,
  tags: z.array(callTag),
  note: z.string(),
  qualified: bit,
  lead: bit,
  outcome_tags: z.array(z.enum(outcomeTags)),
  department: z.enum(departments),
  sentiment: z.object({
    label: z.enum(['positive', 'neutral', 'negative', 'mixed', 'unknown']),
    score: z.number().nullable(),
  }),
  summary: z.string().nullable(),
  value_cents: z.number().nullable(),
  spam: bit,
  source: z.record(z.string(), z.unknown()).nullable(),
  dni_pool_id: id.nullable(),
  enhanced_caller_id: z.record(z.string(), z.unknown()).nullable(),
  eavAttributeValues: z.array(fieldValue),
  history: z.array(callHistory),
  legs: z.array(callLeg),
  path: z.array(callStep),
  abandoned: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
});
export type Call = z.infer<typeof call>;

const at = '2026-11-21T09:15:04.000Z';
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
const anId = { params: { id: 48213377024 } };
const ofCall = { table: 'call', param: 'id' };
const callId = z.object({ id });

// ---- the record ----------------------------------------------------------------------------------------------------

export const getCall = endpoint({
  name: 'getCall',
  method: 'GET',
  path: '/calls/{id}',
  summary: 'Get one call: caller, time, call path and transcript',
  permission: 'calls.view',
  company: 'object',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  answer: one(call),
  example: { ...anId, answer: { data: callExample } },
});

export const updateCall = endpoint({
  name: 'updateCall',
  method: 'PATCH',
  path: '/calls/{id}',
  summary:
    'Update a call’s note, qualification, outcome and other fields. Each change is kept in the history',
  permission: 'calls.edit',
  company: 'object',
  object: ofCall,
  etagOf: 'getCall',
  params: callId,
  body: z.object({
    note: z.string().max(5000).optional(),
    qualified: flag.optional(),
    lead: flag.optional(),
    outcome_tags: z.array(z.enum(outcomeTags)).max(outcomeTags.length).optional(),
    department: z.enum(departments).optional(),
    value_cents: z.number().int().min(0).max(100_000_000_000).nullable().optional(),
    spam: flag.optional(),
    eavAttributeValues: fieldValuesIn.optional(),
    contact_id: id.nullable().optional(),
    ...companyIn,
  }),
  answer: one(call),
  example: {
    ...anId,
    body: { note: 'Wants a cleaning in May.', qualified: true },
    answer: { data: callExample },
  },
});

const tagsBody = z.object({
  tags: z
    .array(
      z.string().trim().min(1, 'Enter a tag.').max(50, 'A tag can have at most 50 characters.'),
    )
    .min(1, 'Enter at least one tag.')
    .max(50, 'A call can have at most 50 tags.'),
  ...companyIn,
});
const tagsAnswer = one(z.object({ tags: z.array(callTag) }));
const tagsExample = {
  ...anId,
  body: { tags: ['New patient'] },
  answer: { data: { tags: [{ id: 3, name: 'New patient', color: 'teal' }] } },
};
export const addCallTags = endpoint({
  name: 'addCallTags',
  method: 'POST',
  path: '/calls/{id}/tags/tags',
  summary: 'Tag a call; new tags are added to the catalog if the caller can edit it',
  permission: 'calls.edit',
  company: 'object',
  object: ofCall,
  params: callId,
  body: tagsBody,
  answer: tagsAnswer,
  example: tagsExample,
});
export const removeCallTags = endpoint({
  name: 'removeCallTags',
  method: 'DELETE',
  path: '/calls/{id}/tags/tags',
  summary: 'Remove tags from a call',
  permission: 'calls.edit',
  company: 'object',
  object: ofCall,
  params: callId,
  body: tagsBody,
  answer: tagsAnswer,
  example: { ...tagsExample, answer: { data: { tags: [] } } },
});

/** A9.4. What the provider does not say is null or empty. `source` is the provider's name, or `simulated`. */
export const enhancedCallerId = z.object({
  number: z.string(),
  name: z.string().nullable(),
  type: z.enum(['person', 'business', 'unknown']),
  line_type: z.enum(['mobile', 'landline', 'voip', 'toll_free', 'other']),
  carrier: z.string().nullable(),
  is_prepaid: z.boolean().nullable(),
  is_commercial: z.boolean().nullable(),
  age_range: z.string().nullable(),
  gender: z.string().nullable(),
  emails: z.array(z.string()),
  addresses: z.array(
    z.object({ street: z.string(), city: z.string(), state: z.string(), zip: z.string() }),
  ),
  alternate_phones: z.array(z.string()),
  business: z.object({ name: z.string(), industry: z.string().nullable() }).nullable(),
  checked_at: instant,
  source: z.string(),
});
export type EnhancedCallerId = z.infer<typeof enhancedCallerId>;
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
export const lookupRefusals = ['lookup.not_configured', 'lookup.not_found', 'lookup.away'] as const;
export const lookUpCaller = endpoint({
  name: 'lookUpCaller',
  method: 'GET',
  path: '/calls/{id}/enhanced-caller-id',
  summary: 'Look up the other party’s number (kept 30 days)',
  permission: 'calls.view',
  company: 'object',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  refusals: lookupRefusals,
  answer: one(enhancedCallerId),
  example: { ...anId, answer: { data: callerIdExample } },
});
export const lookUpNumber = endpoint({
  name: 'lookUpNumber',
  method: 'POST',
  path: '/company/{companyId}/trestle/lookup',
  summary: 'Look up a number (kept 30 days; every new lookup is counted)',
  permission: 'calls.view',
  company: 'path',
  params: z.object({ companyId: id }),
  body: z.object({
    phone: z.string().trim().min(1, 'Enter a phone number.').max(40),
    name_hint: z.string().trim().max(120).optional(),
    zip_hint: z.string().trim().max(10).optional(),
    ...companyIn,
  }),
  refusals: lookupRefusals,
  answer: one(enhancedCallerId),
  example: {
    params: { companyId: 1 },
    body: { phone: '+12125550147', name_hint: 'Dana' },
    answer: { data: callerIdExample },
  },
});

export const neighboursOfCall = endpoint({
  name: 'neighboursOfCall',
  method: 'GET',
  path: '/calls/{id}/neighbours',
  summary: 'Get the calls just before and after this one that the caller can see',
  permission: 'calls.view',
  company: 'object',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  answer: one(z.object({ newer: id.nullable(), older: id.nullable() })),
  example: { ...anId, answer: { data: { newer: null, older: 48213377001 } } },
});

export const deleteRecording = endpoint({
  name: 'deleteRecording',
  method: 'DELETE',
  path: '/calls/{id}/recording',
  summary: 'Delete a recording permanently. The call record stays',
  permission: 'calls.deleteRecording',
  company: 'object',
  object: ofCall,
  params: callId,
  answer: empty,
  status: 204,
  example: { ...anId },
});

// ---- calling in the app (A24) --------------------------------------------------------------------------------------

const device = z
  .string()
  .regex(/^app-[\w-]{1,60}$/, 'A device ID starts with app-.')
  .meta({ description: 'app- followed by the device ID' });
export const callingStatus = z.enum(['active', 'away', 'on_call', 'offline']);
const ofLiveCall = { table: 'call', param: 'callId' };
const liveCall = z.object({ callId: id });
const liveExample = { params: { callId: 48213377024 } };

export const callingToken = endpoint({
  name: 'callingToken',
  method: 'POST',
  path: '/in-app-calling/token',
  summary: 'Get the credentials this device registers with',
  permission: 'calling.use',
  company: 'given',
  body: z.object({ device: device.optional(), ...companyIn }),
  refusals: ['calling.not_set_up', 'carrier.unreachable'],
  answer: one(
    z.object({
      token: z.string(),
      expires_at: instant,
      provider: z.enum(['virtual', 'webrtc', 'sip']),
      url: z.string(),
      ice_servers: z.array(z.object({ urls: z.string() })),
      identity: z.string(),
      device: z.string(),
      status: callingStatus,
    }),
  ),
  example: {
    body: { device: 'app-7f3a', company_id: 1 },
    answer: {
      data: {
        token: 'eyJ…',
        expires_at: at,
        provider: 'webrtc',
        url: '/media',
        ice_servers: [],
        identity: 'c1u5',
        device: 'app-7f3a',
        status: 'active',
      },
    },
  },
});

export const listCallingUsers = endpoint({
  name: 'listCallingUsers',
  method: 'GET',
  path: '/in-app-calling/users',
  summary: 'List teammates who can be called in the app, and their availability',
  permission: 'calling.use',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({
        id,
        name: z.string(),
        role: z.enum(companyRoles),
        status: callingStatus,
        devices: z.array(z.object({ id: z.string(), seen_at: instant })),
      }),
    ),
  }),
  example: {
    query: { company_id: 1 },
    answer: {
      data: [
        {
          id: 5,
          name: 'Una User',
          role: 'user',
          status: 'active',
          devices: [{ id: 'app-7f3a', seen_at: at }],
        },
      ],
    },
  },
});

export const toggleCallingStatus = endpoint({
  name: 'toggleCallingStatus',
  method: 'POST',
  path: '/in-app-calling/status/toggle',
  summary:
    'Start or stop receiving calls in the app. The first time, this sets up calling for the person',
  permission: 'calling.use',
  company: 'given',
  body: z.object({
    status: z
      .enum(['active', 'away'])
      .optional()
      .meta({ description: 'The new state; toggles when left out' }),
    ...companyIn,
  }),
  answer: one(z.object({ status: callingStatus })),
  example: { body: { company_id: 1, status: 'away' }, answer: { data: { status: 'away' } } },
});

export const beatCalling = endpoint({
  name: 'beatCalling',
  method: 'POST',
  path: '/in-app-calling/heartbeat',
  summary: 'Keep this device registered. The response holds what concerns it now',
  permission: 'calling.use',
  company: 'given',
  body: z.object({ device, leaving: flag.optional(), ...companyIn }),
  answer: one(
    z.object({
      status: callingStatus,
      calls: z.array(
        z.object({
          callId: id,
          leg: z.string(),
          joinToken: z.string(),
          state: z.enum(['ringing', 'answered']),
          outbound: bit,
          from: z.string(),
          to: z.string(),
          number: z.object({ id, number: z.string(), label: z.string() }),
          contact: z.object({ id, name: z.string() }).nullable(),
          onHold: z.boolean(),
          startedAt: instant,
          monitoring: z.boolean().optional(),
        }),
      ),
    }),
  ),
  example: {
    body: { device: 'app-7f3a', company_id: 1 },
    answer: { data: { status: 'active', calls: [] } },
  },
});

export const canAnswerCall = endpoint({
  name: 'canAnswerCall',
  method: 'GET',
  path: '/in-app-calling/calls/{callId}/can-answer-call',
  summary: 'Check whether this person can still answer a call',
  permission: 'calling.use',
  company: 'object',
  object: ofLiveCall,
  params: liveCall,
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      can: z.boolean(),
      reason: z.enum(['answered', 'ended', 'not_invited', 'no_sip', 'away']).nullable(),
      leg: z.string().nullable(),
      joinToken: z.string().nullable(),
    }),
  ),
  example: {
    ...liveExample,
    answer: {
      data: { can: true, reason: null, leg: '48213377024.3', joinToken: '48213377024.3~Zk1…' },
    },
  },
});

export const rejectCall = endpoint({
  name: 'rejectCall',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/reject',
  summary: 'Decline a ringing call for this person; it keeps ringing for others',
  permission: 'calling.use',
  company: 'object',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({ joinToken: z.string().min(1).max(200), ...companyIn }),
  refusals: ['call.ended'],
  answer: one(z.object({ rejected: z.literal(true) })),
  example: {
    ...liveExample,
    body: { joinToken: '48213377024.3~Zk1…' },
    answer: { data: { rejected: true } },
  },
});

export const placeCall = endpoint({
  name: 'placeCall',
  method: 'POST',
  path: '/v1/calls/token',
  summary:
    'Call a number from one of your numbers. This device rings first and answers automatically, then the destination is called',
  permission: 'calling.use',
  company: 'object',
  object: { table: 'number', param: 'number_id' },
  body: z.object({
    number_id: id,
    destination: z.string().min(1, 'Enter a number or choose who to call.').max(60),
    device: device.optional(),
    ...companyIn,
  }),
  refusals: [
    'calling.not_set_up',
    'calling.blocked',
    'calling.emergency',
    'calling.caller_id',
    'calling.busy',
    'carrier.unreachable',
  ],
  status: 201,
  answer: one(z.object({ call_id: id, token: z.string(), caller_id: z.string(), leg: z.string() })),
  example: {
    body: { number_id: 12, destination: '+12125550147', device: 'app-7f3a' },
    answer: {
      data: {
        call_id: 48213377024,
        token: '48213377024.1~Zk1…',
        caller_id: '+14155552368',
        leg: '48213377024.1',
      },
    },
  },
});

const acted = one(z.object({ state: z.enum(['ringing', 'connected', 'held', 'ended']) }));
export const holdCall = endpoint({
  name: 'holdCall',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/hold',
  summary: 'Put the other party on hold with music, or resume the call',
  permission: 'calling.use',
  company: 'object',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({ on: flag, ...companyIn }),
  refusals: ['call.ended', 'call.not_yours'],
  answer: acted,
  example: { ...liveExample, body: { on: true }, answer: { data: { state: 'held' } } },
});
export const pressKeys = endpoint({
  name: 'pressKeys',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/keys',
  summary: 'Send keypad digits to the other party',
  permission: 'calling.use',
  company: 'object',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({
    digits: z.string().regex(/^[0-9*#]{1,32}$/, 'Use only 0–9, * and #.'),
    ...companyIn,
  }),
  refusals: ['call.ended', 'call.not_yours'],
  answer: acted,
  example: { ...liveExample, body: { digits: '2' }, answer: { data: { state: 'connected' } } },
});
export const hangUpCall = endpoint({
  name: 'hangUpCall',
  method: 'POST',
  path: '/in-app-calling/calls/{callId}/hangup',
  summary: 'End a call that this person is in',
  permission: 'calling.use',
  company: 'object',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({ ...companyIn }),
  refusals: ['call.ended', 'call.not_yours'],
  answer: acted,
  example: { ...liveExample, body: {}, answer: { data: { state: 'ended' } } },
});

// ---- said aloud ----------------------------------------------------------------------------------------------------

/** `party` is the other side's E.164, or `anonymous` when withheld. */
const ofACall = {
  callId: id,
  numberId: id,
  party: z.string(),
  outbound: z.boolean(),
  contactId: id.nullable(),
  startedAt: instant,
};
const aboutNumber = ['numberId'] as const;

/** A number's lists show when it was last called. */
const ofNumber = ['listNumbers', 'listNumbersDatatable', 'getNumber'];
export const callStarted = event({
  name: 'call.started',
  channel: 'companies',
  data: z.object(ofACall),
  touches: ['neighboursOfCall', ...ofNumber],
  about: aboutNumber,
});
export const callAnswered = event({
  name: 'call.answered',
  channel: 'companies',
  data: z.object({ ...ofACall, answeredBy: answeredBy.nullable() }),
  touches: ['getCall', 'canAnswerCall', 'listCallingUsers', 'callDestinations'],
  about: aboutNumber,
});
/** Said exactly once for every call, with everything that is final. A recording still on its way follows as `recording.ready`. */
export const callEnded = event({
  name: 'call.ended',
  channel: 'companies',
  touches: [
    'getCall',
    'neighboursOfCall',
    'canAnswerCall',
    'listCallingUsers',
    'callDestinations',
    ...ofNumber,
  ],
  about: aboutNumber,
  data: z.object({
    ...ofACall,
    status,
    outcome,
    because: z.string(),
    endedAt: instant,
    durationSeconds: z.number(),
    ringSeconds: z.number(),
    talkSeconds: z.number(),
    answeredBy: answeredBy.nullable(),
    extensionLabel: z.string().nullable(),
    recordingFileId: id.nullable(),
    alertEmails: z.array(z.string()),
  }),
});
/** Said beside `call.ended`: which destinations of routes were rung and whether each was picked up. For other modules only. */
export const destinationsRung = event({
  name: 'call.destinations_rung',
  channel: null,
  about: aboutNumber,
  data: z.object({
    callId: id,
    numberId: id,
    at: instant,
    legs: z.array(z.object({ leg: z.string(), forwardId: id, answered: z.boolean() })),
  }),
});
/** Somebody behind a number became known: whoever shows numbers reads anew. Everyone in the company hears this, so it names nobody. */
export const callerIdentified = event({
  name: 'caller.identified',
  channel: 'companies',
  touches: ['getConversation', 'listConversations'],
  data: z.object({ source: z.string() }),
});
/** Note, tags, qualification or contact changed by a person. */
export const callUpdated = event({
  name: 'call.updated',
  channel: 'companies',
  data: z.object({ callId: id, numberId: id, changed: z.array(z.string()) }),
  touches: ['getCall', 'listActivity', 'listTags', 'callKpi'],
  about: aboutNumber,
});
export const voicemailReceived = event({
  name: 'voicemail.received',
  channel: 'companies',
  touches: ['getCall'],
  about: aboutNumber,
  data: z.object({
    ...ofACall,
    voicemailId: id,
    durationSeconds: z.number(),
    fileId: id,
    receivedAt: instant,
    alertEmails: z.array(z.string()),
  }),
});
export const recordingReady = event({
  name: 'recording.ready',
  channel: 'companies',
  data: z.object({ callId: id, numberId: id, fileId: id, durationSeconds: z.number() }),
  touches: ['getCall'],
  about: aboutNumber,
});
/** `voicemailId` set: it is a voicemail's words. */
export const transcriptionReady = event({
  name: 'transcription.ready',
  channel: 'companies',
  touches: ['getCall'],
  about: aboutNumber,
  data: z.object({
    callId: id,
    numberId: id,
    voicemailId: id.nullable(),
    state: z.enum(['ready', 'failed', 'skipped']),
    text: z.string(),
  }),
});
/** A27: on each invited person's own channel. `leg` is that person's line in the media plane. */
export const inAppCalling = event({
  name: 'in-app-calling',
  channel: 'users',
  touches: ['listCallingUsers', 'canAnswerCall'],
  about: ['userId'],
  data: z.object({
    type: z.enum(['ringing', 'answered', 'ended', 'status']),
    callId: id.nullable(),
    joinToken: z.string().nullable(),
    from: z.string().nullable(),
    number: z.object({ id, number: z.string(), label: z.string() }).nullable(),
    contact: z.object({ id, name: z.string() }).nullable(),
    expiresAt: instant.nullable(),
    companyId: id,
    leg: z.string().nullable(),
    outbound: z.boolean().meta({
      description:
        'This person’s own leg of a call they placed, retrieved or monitor; it answers automatically',
    }),
    status: callingStatus.nullable(),
    because: z.string().nullable(),
    monitoring: z.boolean().optional().meta({ description: 'This leg belongs to a supervisor' }),
  }),
});
/** A colleague's app is there, away or gone. On the company's channel, since everyone's list of colleagues shows it. */
export const callingPresenceChanged = event({
  name: 'calling.presence-changed',
  channel: 'companies',
  touches: ['listCallingUsers', 'callDestinations'],
  data: z.object({ companyId: id, userId: id }),
});
