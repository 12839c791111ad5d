import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyRoles } from '../../permissions.ts';
import { companyIn, flag, id, instant, one } from '../../schemas.ts';
import { at } from '../examples.ts';
import { pause } from '../availability.ts';
import { bit, callingStatus } from '../schemas.ts';

const device = z
  .string()
  .regex(/^app-[\w-]{1,60}$/, 'A device ID starts with app-.')
  .meta({ description: 'app- followed by the device ID' });

const ofLiveCall = { table: 'call', param: 'callId' };

const liveCall = z.object({ callId: id });

const liveExample = { params: { callId: 48213377024 } };

export const callingToken = operation({
  lane: 'calls',
  summary: 'Get the credentials this device registers with',
  body: z.object({ device: device.optional(), ...companyIn }),
  errors: ['calling.not_set_up', 'carrier.unreachable'],
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

export const listCallingUsers = operation({
  lane: 'calls',
  summary: 'List teammates who can be called in the app, and their availability',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({
        id,
        name: z.string(),
        role: z.enum(companyRoles),
        status: callingStatus,
        pause: pause.nullable().meta({
          description: 'Do not disturb, or outside their hours; their status is then away',
        }),
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
          pause: null,
          devices: [{ id: 'app-7f3a', seen_at: at }],
        },
      ],
    },
  },
});

export const toggleCallingStatus = operation({
  lane: 'calls',
  summary:
    'Start or stop receiving calls in the app. The first time, this sets up calling for the person',
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

export const beatCalling = operation({
  lane: 'calls',
  summary: 'Keep this device registered. The response holds what concerns it now',
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

export const canAnswerCall = operation({
  lane: 'calls',
  summary: 'Check whether this person can still answer a call',
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

export const rejectCall = operation({
  lane: 'calls',
  summary: 'Decline a ringing call for this person; it keeps ringing for others',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({ joinToken: z.string().min(1).max(200), ...companyIn }),
  errors: ['call.ended'],
  answer: one(z.object({ rejected: z.literal(true) })),
  example: {
    ...liveExample,
    body: { joinToken: '48213377024.3~Zk1…' },
    answer: { data: { rejected: true } },
  },
});

export const placeCall = operation({
  lane: 'calls',
  summary:
    'Call a number from one of your numbers. This device rings first and answers automatically, then the destination is called',
  object: { table: 'number', param: 'number_id' },
  body: z.object({
    number_id: id,
    destination: z.string().min(1, 'Enter a number or choose who to call.').max(60).meta({
      description: 'A number, or `contact:ID`, `conversation:ID` or `call:ID` of the person',
    }),
    device: device.optional(),
    ...companyIn,
  }),
  errors: [
    'company.inactive',
    'company.suspended',
    'calling.not_set_up',
    'calling.blocked',
    'calling.emergency',
    'calling.caller_id',
    'calling.busy',
    'calling.full',
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

export const holdCall = operation({
  lane: 'calls',
  summary: 'Put the other party on hold with music, or resume the call',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({ on: flag, ...companyIn }),
  errors: ['call.ended', 'call.not_yours'],
  answer: acted,
  example: { ...liveExample, body: { on: true }, answer: { data: { state: 'held' } } },
});

export const pressKeys = operation({
  lane: 'calls',
  summary: 'Send keypad digits to the other party',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({
    digits: z.string().regex(/^[0-9*#]{1,32}$/, 'Use only 0–9, * and #.'),
    ...companyIn,
  }),
  errors: ['call.ended', 'call.not_yours'],
  answer: acted,
  example: { ...liveExample, body: { digits: '2' }, answer: { data: { state: 'connected' } } },
});

export const hangUpCall = operation({
  lane: 'calls',
  summary: 'End a call that this person is in',
  object: ofLiveCall,
  params: liveCall,
  body: z.object({ ...companyIn }),
  errors: ['call.ended', 'call.not_yours'],
  answer: acted,
  example: { ...liveExample, body: {}, answer: { data: { state: 'ended' } } },
});
