import { z } from 'zod';
import { companyIn, endpoint, event, flag, id, instant, one } from './kit.ts';
import { callingStatus } from './calls.ts';

/** Calls that are running: transfer, park, third persons, supervisors, the live board. Module: calls. */

export const monitorModes = ['listen', 'whisper', 'barge'] as const;
export type MonitorMode = (typeof monitorModes)[number];

/**
 * What a running call is doing. `ringing`: somebody is rung for it the first time; `waiting`: a menu, a greeting or an
 * announcement; `transferring`: somebody is rung for it again; `consulting`: held while the agent asks somebody.
 */
export const liveStates = [
  'ringing',
  'waiting',
  'talking',
  'held',
  'consulting',
  'transferring',
  'parked',
  'voicemail',
  'ending',
] as const;
export type LiveState = (typeof liveStates)[number];

const livePerson = z.object({
  leg: z.string(),
  user_id: id.nullable(),
  label: z.string(),
  number: z.string().nullable(),
  role: z.enum(['outside', 'company']),
  state: z
    .enum(['ringing', 'talking', 'held', 'consulted'])
    .meta({ description: 'consulted: asked before the call is transferred' }),
});
export const liveCall = z.object({
  id,
  company_id: id,
  number: z.object({ id, number: z.string(), label: z.string() }),
  outbound: z.union([z.literal(0), z.literal(1)]),
  party: z.string(),
  contact: z.object({ id, name: z.string() }).nullable(),
  caller_name: z.string().nullable(),
  state: z.enum(liveStates),
  since: instant,
  started_at: instant,
  answered_at: instant.nullable(),
  route: z.string().nullable().meta({ description: 'The call path, in words' }),
  people: z.array(livePerson),
  slot: z.number().nullable(),
  parked_by: z.string().nullable(),
  parked_until: instant.nullable(),
  recording: z.boolean(),
  /** Supervisors, told only to those who may be one. */
  monitors: z.array(z.object({ user_id: id, name: z.string(), mode: z.enum(monitorModes) })),
  rooms: z.boolean().meta({ description: 'This call’s carrier can connect more than two people' }),
});
export type LiveCall = z.infer<typeof liveCall>;

const at = '2026-11-21T09:15:04.000Z';
export const liveExample: LiveCall = {
  id: 48213377024,
  company_id: 1,
  number: { id: 12, number: '+14155552368', label: 'Main line' },
  outbound: 0,
  party: '+12125550147',
  contact: { id: 77, name: 'Dana Reed' },
  caller_name: 'DANA REED',
  state: 'talking',
  since: at,
  started_at: at,
  answered_at: at,
  route: 'Sales',
  people: [
    {
      leg: 'in-1',
      user_id: null,
      label: 'Dana Reed',
      number: '+12125550147',
      role: 'outside',
      state: 'talking',
    },
    {
      leg: '1-48213377024.3',
      user_id: 5,
      label: 'Una User',
      number: null,
      role: 'company',
      state: 'talking',
    },
  ],
  slot: null,
  parked_by: null,
  parked_until: null,
  recording: true,
  monitors: [],
  rooms: true,
};
const example = { params: { id: liveExample.id }, answer: { data: liveExample } };
const ofCall = { table: 'call', param: 'id' };
const which = z.object({ id });
const only = z.object({ ...companyIn });

/** Whom a call goes to: exactly one of them. */
const destinationIn = {
  user_id: id.optional().meta({ description: 'A teammate’s app' }),
  number: z
    .string()
    .trim()
    .min(1, 'Enter a number or choose who to call.')
    .max(120)
    .optional()
    .meta({ description: 'An outside phone' }),
  forward_contact_id: id.optional().meta({ description: 'A forwarding contact' }),
  route_id: id.optional().meta({
    description: 'An extension of the same number (blind transfer only)',
  }),
};
const oneOf = (
  said: Record<string, unknown>,
  refine: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void => {
  const given = ['user_id', 'number', 'forward_contact_id', 'route_id'].filter(
    (key) => said[key] !== undefined && said[key] !== null,
  );
  if (given.length !== 1)
    refine.addIssue({
      code: 'custom',
      path: ['number'],
      message:
        given.length === 0 ? 'Enter a number or choose who to call.' : 'Choose one destination.',
    });
};
const refusals = [
  'call.ended',
  'call.not_yours',
  'call.not_now',
  'calling.emergency',
  'calling.blocked',
  'call.cannot',
] as const;

export const listLiveCalls = endpoint({
  name: 'listLiveCalls',
  method: 'GET',
  path: '/calls/live',
  summary: 'List active calls: ringing, waiting, connected, on hold or parked',
  permission: 'calls.monitor',
  company: 'given',
  query: only,
  answer: z.object({ data: z.array(liveCall) }),
  example: { query: { company_id: 1 }, answer: { data: [liveExample] } },
});
export const listParkedCalls = endpoint({
  name: 'listParkedCalls',
  method: 'GET',
  path: '/calls/parked',
  summary: 'List calls parked in slots; anyone who answers calls to that number can retrieve them',
  permission: 'calling.use',
  company: 'given',
  query: only,
  answer: z.object({ data: z.array(liveCall) }),
  example: {
    query: { company_id: 1 },
    answer: {
      data: [{ ...liveExample, state: 'parked', slot: 1, parked_by: 'Una User', parked_until: at }],
    },
  },
});
export const getLiveCall = endpoint({
  name: 'getLiveCall',
  method: 'GET',
  path: '/calls/{id}/live',
  summary: 'Get the current state of one active call',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  query: only,
  refusals: ['call.ended'],
  answer: one(liveCall),
  example,
});
export const callDestinations = endpoint({
  name: 'callDestinations',
  method: 'GET',
  path: '/calls/{id}/destinations',
  summary:
    'List transfer targets for an active call: teammates with their status, forwarding contacts and extensions of its number',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  query: z.object({ search: z.string().trim().max(100).optional(), ...companyIn }),
  refusals: ['call.ended'],
  answer: one(
    z.object({
      people: z.array(z.object({ user_id: id, name: z.string(), status: callingStatus })),
      contacts: z.array(z.object({ forward_contact_id: id, name: z.string(), number: z.string() })),
      extensions: z.array(z.object({ route_id: id, extension: z.number(), label: z.string() })),
    }),
  ),
  example: {
    params: { id: liveExample.id },
    answer: {
      data: {
        people: [{ user_id: 6, name: 'Ann Agent', status: 'active' }],
        contacts: [{ forward_contact_id: 31, name: 'Front desk phone', number: '+12125550148' }],
        extensions: [{ route_id: 7, extension: 2, label: 'Sales' }],
      },
    },
  },
});

export const transferCall = endpoint({
  name: 'transferCall',
  method: 'POST',
  path: '/calls/{id}/transfer',
  summary:
    'Transfer the call immediately, or ask first (`ask`): the caller hears music while the new person rings for you',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: z.object({ ...destinationIn, ask: flag.default(false), ...companyIn }).superRefine(oneOf),
  refusals,
  answer: one(liveCall),
  example: { ...example, body: { user_id: 6, ask: true } },
});
// Written out one by one: browsers' bundles know endpoints by their own words (web/contract-for-browsers.ts).
const stepRefusals = ['call.ended', 'call.not_yours', 'call.not_now', 'call.cannot'];
export const completeTransfer = endpoint({
  name: 'completeTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/complete',
  summary:
    'Complete the transfer. If the new person is still ringing, the call keeps ringing there for the caller',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: only,
  refusals: stepRefusals,
  answer: one(liveCall),
  example: { ...example, body: {} },
});
export const cancelTransfer = endpoint({
  name: 'cancelTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/cancel',
  summary: 'Cancel the transfer and return to the caller',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: only,
  refusals: stepRefusals,
  answer: one(liveCall),
  example: { ...example, body: {} },
});
export const swapTransfer = endpoint({
  name: 'swapTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/swap',
  summary: 'Swap between the two calls; the other one hears music',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: only,
  refusals: stepRefusals,
  answer: one(liveCall),
  example: { ...example, body: {} },
});
export const mergeTransfer = endpoint({
  name: 'mergeTransfer',
  method: 'POST',
  path: '/calls/{id}/transfer/merge',
  summary: 'Connect all three in a conference',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: only,
  refusals: stepRefusals,
  answer: one(liveCall),
  example: { ...example, body: {} },
});

export const parkCall = endpoint({
  name: 'parkCall',
  method: 'POST',
  path: '/calls/{id}/park',
  summary:
    'Park the call in a slot: the first free one, or the one given. After five minutes the call comes back',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: z.object({
    slot: z.number().int().min(1).max(99, 'Enter a slot from 1 to 99.').optional(),
    ...companyIn,
  }),
  refusals: ['call.ended', 'call.not_yours', 'call.not_now', 'call.slot_taken'],
  answer: one(liveCall),
  example: {
    params: example.params,
    body: {},
    answer: {
      data: { ...liveExample, state: 'parked', slot: 1, parked_by: 'Una User', parked_until: at },
    },
  },
});
const device = z
  .string()
  .regex(/^app-[\w-]{1,60}$/, 'A device ID starts with app-.')
  .optional()
  .meta({
    description: 'The device to retrieve it on; without it, all of the person’s devices ring',
  });
const line = one(z.object({ call_id: id, leg: z.string(), token: z.string() }));
const lineAnswer = {
  data: { call_id: liveExample.id, leg: '1-48213377024.9', token: '1-48213377024.9~Zk1…' },
};
export const unparkCall = endpoint({
  name: 'unparkCall',
  method: 'POST',
  path: '/calls/{id}/unpark',
  summary: 'Retrieve a parked call: this device rings and answers automatically',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: z.object({ device, ...companyIn }),
  refusals: ['call.ended', 'call.not_now', 'calling.busy', 'calling.not_set_up'],
  answer: line,
  example: { params: example.params, body: { device: 'app-7f3a' }, answer: lineAnswer },
});
export const addToCall = endpoint({
  name: 'addToCall',
  method: 'POST',
  path: '/calls/{id}/add',
  summary: 'Add a third person to the call',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: z
    .object({
      user_id: destinationIn.user_id,
      number: destinationIn.number,
      forward_contact_id: destinationIn.forward_contact_id,
      ...companyIn,
    })
    .superRefine(oneOf),
  refusals,
  answer: one(liveCall),
  example: { ...example, body: { number: '+12125550148' } },
});
export const removeFromCall = endpoint({
  name: 'removeFromCall',
  method: 'POST',
  path: '/calls/{id}/remove',
  summary: 'Remove a third person from the call, or stop ringing them',
  permission: 'calling.use',
  company: 'object',
  object: ofCall,
  params: which,
  body: z.object({ leg: z.string().min(1).max(100), ...companyIn }),
  refusals: ['call.ended', 'call.not_yours', 'call.not_now'],
  answer: one(liveCall),
  example: { ...example, body: { leg: '1-48213377024.5' } },
});

export const monitorCall = endpoint({
  name: 'monitorCall',
  method: 'POST',
  path: '/calls/{id}/monitor',
  summary:
    'Monitor an active call: listen, whisper to the agent, or barge in. Calling it again changes the mode. Recorded in the audit log',
  permission: 'calls.monitor',
  company: 'object',
  object: ofCall,
  params: which,
  body: z.object({ mode: z.enum(monitorModes), device, ...companyIn }),
  refusals: ['call.ended', 'call.not_now', 'call.cannot', 'calling.busy', 'calling.not_set_up'],
  answer: one(
    z.object({ call_id: id, leg: z.string(), token: z.string(), mode: z.enum(monitorModes) }),
  ),
  example: {
    params: example.params,
    body: { mode: 'listen', device: 'app-7f3a' },
    answer: { data: { ...lineAnswer.data, mode: 'listen' as const } },
  },
});
export const stopMonitoring = endpoint({
  name: 'stopMonitoring',
  method: 'POST',
  path: '/calls/{id}/monitor/stop',
  summary: 'Stop monitoring a call',
  permission: 'calls.monitor',
  company: 'object',
  object: ofCall,
  params: which,
  body: only,
  refusals: ['call.ended', 'call.not_now'],
  answer: one(z.object({ stopped: z.literal(true) })),
  example: { params: example.params, body: {}, answer: { data: { stopped: true as const } } },
});

/** Something the live board shows has changed. */
export const liveCallChanged = event({
  name: 'call.live',
  channel: 'companies',
  data: z.object({
    callId: id,
    numberId: id,
    state: z.enum(liveStates).nullable().meta({ description: 'null: the call has ended' }),
    slot: z.number().nullable(),
  }),
  touches: [
    'listLiveCalls',
    'callDestinations',
    'listParkedCalls',
    'getLiveCall',
    'getCall',
    'listCallingUsers',
  ],
  about: ['numberId'],
});
