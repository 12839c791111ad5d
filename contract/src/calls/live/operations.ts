import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, one } from '../../schemas.ts';
import { pause } from '../availability.ts';
import { callingStatus } from '../schemas.ts';
import { at, liveExample } from './examples.ts';
import { monitorModes } from './rules.ts';
import { liveCall } from './schemas.ts';

const example = { params: { id: liveExample.id }, answer: { data: liveExample } };

const ofCall = { table: 'call', param: 'id' };

const which = z.object({ id });

const only = z.object({ ...companyIn });

/** Destination of a call: exactly one of these. */
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
  team_id: id.optional().meta({
    description:
      'A team: those of its people who take calls now ring at once (blind transfer only)',
  }),
};

const oneOf = (
  said: Record<string, unknown>,
  refine: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void => {
  const given = ['user_id', 'number', 'forward_contact_id', 'route_id', 'team_id'].filter(
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

const errors = [
  'call.ended',
  'call.not_yours',
  'call.not_now',
  'calling.emergency',
  'calling.blocked',
  'call.cannot',
] as const;

export const listLiveCalls = operation({
  lane: 'calls',
  summary: 'List active calls: ringing, waiting, connected, on hold or parked',
  query: only,
  answer: z.object({ data: z.array(liveCall) }),
  example: { query: { company_id: 1 }, answer: { data: [liveExample] } },
});

export const listParkedCalls = operation({
  lane: 'calls',
  summary: 'List calls parked in slots; anyone who answers calls to that number can retrieve them',
  query: only,
  answer: z.object({ data: z.array(liveCall) }),
  example: {
    query: { company_id: 1 },
    answer: {
      data: [{ ...liveExample, state: 'parked', slot: 1, parked_by: 'Una User', parked_until: at }],
    },
  },
});

export const getLiveCall = operation({
  lane: 'calls',
  summary: 'Get the current state of one active call',
  object: ofCall,
  params: which,
  query: only,
  errors: ['call.ended'],
  answer: one(liveCall),
  example,
});

export const callDestinations = operation({
  lane: 'calls',
  summary:
    'List transfer targets for an active call: teammates with their status, teams, forwarding contacts and extensions of its number',
  object: ofCall,
  params: which,
  query: z.object({ search: z.string().trim().max(100).optional(), ...companyIn }),
  errors: ['call.ended'],
  answer: one(
    z.object({
      people: z.array(
        z.object({
          user_id: id,
          name: z.string(),
          status: callingStatus,
          pause: pause.nullable(),
        }),
      ),
      teams: z.array(
        z.object({
          team_id: id,
          name: z.string(),
          ready: z.number().meta({ description: 'How many of its people can take a call now' }),
        }),
      ),
      contacts: z.array(z.object({ forward_contact_id: id, name: z.string(), number: z.string() })),
      extensions: z.array(z.object({ route_id: id, extension: z.number(), label: z.string() })),
    }),
  ),
  example: {
    params: { id: liveExample.id },
    answer: {
      data: {
        people: [{ user_id: 6, name: 'Ann Agent', status: 'active', pause: null }],
        teams: [{ team_id: 9, name: 'Front desk', ready: 2 }],
        contacts: [{ forward_contact_id: 31, name: 'Front desk phone', number: '+12125550148' }],
        extensions: [{ route_id: 7, extension: 2, label: 'Sales' }],
      },
    },
  },
});

export const transferCall = operation({
  lane: 'calls',
  summary:
    'Transfer the call immediately, or ask first (`ask`): the caller hears music while the new person rings for you',
  object: ofCall,
  params: which,
  body: z.object({ ...destinationIn, ask: flag.default(false), ...companyIn }).superRefine(oneOf),
  errors,
  answer: one(liveCall),
  example: { ...example, body: { user_id: 6, ask: true } },
});

const stepErrors = ['call.ended', 'call.not_yours', 'call.not_now', 'call.cannot'];

/** A step of a transfer that was asked first (`ask`). */
const transferStep = (summary: string) =>
  operation({
    lane: 'calls',
    summary,
    object: ofCall,
    params: which,
    body: only,
    errors: stepErrors,
    answer: one(liveCall),
    example: { ...example, body: {} },
  });

export const completeTransfer = transferStep(
  'Complete the transfer. If the new person is still ringing, the call keeps ringing there for the caller',
);

export const cancelTransfer = transferStep('Cancel the transfer and return to the caller');

export const swapTransfer = transferStep('Swap between the two calls; the other one hears music');

export const mergeTransfer = transferStep('Connect all three in a conference');

export const parkCall = operation({
  lane: 'calls',
  summary:
    'Park the call in a slot: the first free one, or the one given. After five minutes the call comes back',
  object: ofCall,
  params: which,
  body: z.object({
    slot: z.number().int().min(1).max(99, 'Enter a slot from 1 to 99.').optional(),
    ...companyIn,
  }),
  errors: ['call.ended', 'call.not_yours', 'call.not_now', 'call.slot_taken'],
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

export const unparkCall = operation({
  lane: 'calls',
  summary: 'Retrieve a parked call: this device rings and answers automatically',
  object: ofCall,
  params: which,
  body: z.object({ device, ...companyIn }),
  errors: ['call.ended', 'call.not_now', 'calling.busy', 'calling.not_set_up'],
  answer: line,
  example: { params: example.params, body: { device: 'app-7f3a' }, answer: lineAnswer },
});

export const addToCall = operation({
  lane: 'calls',
  summary: 'Add a third person to the call',
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
  errors,
  answer: one(liveCall),
  example: { ...example, body: { number: '+12125550148' } },
});

export const removeFromCall = operation({
  lane: 'calls',
  summary: 'Remove a third person from the call, or stop ringing them',
  object: ofCall,
  params: which,
  body: z.object({ leg: z.string().min(1).max(100), ...companyIn }),
  errors: ['call.ended', 'call.not_yours', 'call.not_now'],
  answer: one(liveCall),
  example: { ...example, body: { leg: '1-48213377024.5' } },
});

export const monitorCall = operation({
  lane: 'calls',
  summary:
    'Monitor an active call: listen, whisper to the agent, or barge in. Calling it again changes the mode. Recorded in the audit log',
  object: ofCall,
  params: which,
  body: z.object({ mode: z.enum(monitorModes), device, ...companyIn }),
  errors: ['call.ended', 'call.not_now', 'call.cannot', 'calling.busy', 'calling.not_set_up'],
  answer: one(
    z.object({ call_id: id, leg: z.string(), token: z.string(), mode: z.enum(monitorModes) }),
  ),
  example: {
    params: example.params,
    body: { mode: 'listen', device: 'app-7f3a' },
    answer: { data: { ...lineAnswer.data, mode: 'listen' as const } },
  },
});

export const stopMonitoring = operation({
  lane: 'calls',
  summary: 'Stop monitoring a call',
  object: ofCall,
  params: which,
  body: only,
  errors: ['call.ended', 'call.not_now'],
  answer: one(z.object({ stopped: z.literal(true) })),
  example: { params: example.params, body: {}, answer: { data: { stopped: true as const } } },
});
