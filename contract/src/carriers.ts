import { z } from 'zod';
import { companyIn, endpoint, event, id, instant, one } from './kit.ts';

/** Which carrier a number is of, and by which other number its texts and calls go when that carrier does not take them. */
const brief = z.object({
  id,
  number: z.string(),
  label: z.string(),
  carrier: z.string().meta({ description: 'Display name: “Twilio”' }),
  can_text: z.boolean(),
  can_call: z.boolean(),
});
const calls = z.enum(['never', 'away', 'refused']).meta({
  description:
    '`never`: calls wait for their carrier; `away`: only when the carrier is unreachable; `refused`: also when it rejects a call',
});
export const failover = z.object({
  carrier: z.string(),
  other_carriers: z.array(z.string()).meta({ description: 'Other connected carriers' }),
  via: brief.nullable(),
  texts: z
    .boolean()
    .meta({ description: 'Texts use `via` when the carrier certainly didn’t accept them' }),
  calls,
  choices: z.array(brief).meta({ description: 'Active numbers at other carriers' }),
});
export type Failover = z.infer<typeof failover>;

const params = z.object({ id });
const example: Failover = {
  carrier: 'Twilio',
  other_carriers: ['Bandwidth'],
  via: null,
  texts: false,
  calls: 'never',
  choices: [
    {
      id: 12,
      number: '+14155552399',
      label: 'Spare',
      carrier: 'Bandwidth',
      can_text: true,
      can_call: true,
    },
  ],
};
const object = { table: 'number', param: 'id' } as const;

export const getFailover = endpoint({
  name: 'getFailover',
  method: 'GET',
  path: '/numbers/{id}/failover',
  summary: 'Get the carrier of a number, and its failover number',
  permission: 'numbers.view',
  company: 'object',
  object,
  params,
  answer: one(failover),
  example: { params: { id: 11 }, answer: { data: example } },
});
export const setFailover = endpoint({
  name: 'setFailover',
  method: 'PUT',
  path: '/numbers/{id}/failover',
  summary:
    'Set the failover number for texts and calls the carrier certainly didn’t accept (null: they wait). One with an unknown result is never sent through failover',
  permission: 'numbers.configure',
  company: 'object',
  object,
  params,
  body: z.object({
    via_number_id: id.nullable(),
    texts: z.boolean().optional(),
    calls: calls.optional(),
    ...companyIn,
  }),
  answer: one(failover),
  example: { params: { id: 11 }, body: { via_number_id: null }, answer: { data: example } },
});
// ---- our account at each carrier -------------------------------------------------------------------------------------

/** `warning`: it works, and somebody should know something; `unreachable`: it did not answer; `simulated`: the sandbox; `unchecked`: not checked yet, or it cannot be. */
export const carrierStates = [
  'ok',
  'warning',
  'refused',
  'unreachable',
  'simulated',
  'unchecked',
] as const;
export const carrierAccount = z.object({
  name: z.string().meta({ description: 'As in CARRIER' }),
  label: z.string(),
  state: z.enum(carrierStates),
  sentence: z
    .string()
    .nullable()
    .meta({ description: 'What is wrong and who can fix it; null when the account works' }),
  since: instant.nullable().meta({ description: 'When this state began' }),
  checked_at: instant.nullable(),
  last_worked_at: instant
    .nullable()
    .meta({ description: 'The last check that found the account working' }),
});
export type CarrierAccount = z.infer<typeof carrierAccount>;
const at = '2026-11-21T15:00:00.000Z';
const accounts: CarrierAccount[] = [
  {
    name: 'twilio',
    label: 'Twilio',
    state: 'refused',
    since: at,
    checked_at: at,
    last_worked_at: '2026-11-20T09:00:00.000Z',
    sentence:
      'Twilio rejected our credentials. An operator must correct them in the server’s settings.',
  },
];

export const listCarriers = endpoint({
  name: 'listCarriers',
  method: 'GET',
  path: '/carriers',
  summary: 'List the connected carriers and their account status, checked every 15 minutes',
  permission: 'settings.edit',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(z.array(carrierAccount)),
  example: { query: { company_id: 1 }, answer: { data: accounts } },
});
export const checkCarriers = endpoint({
  name: 'checkCarriers',
  method: 'POST',
  path: '/carriers/check',
  summary:
    'Check the account at each carrier now. Texts waiting for a carrier that works again are sent immediately',
  permission: 'settings.edit',
  company: 'given',
  body: z.object({ ...companyIn }),
  answer: one(z.array(carrierAccount)),
  example: { body: { company_id: 1 }, answer: { data: accounts } },
});
/** Told to every company: the carriers are the installation's. `working`: what waits for it may go on. */
export const carrierAccountChanged = event({
  name: 'carrier.account_changed',
  channel: 'companies',
  data: z.object({
    companyId: id,
    carrier: z.string(),
    state: z.enum(carrierStates),
    working: z.boolean(),
  }),
  touches: ['listCarriers'],
});

export const failoverChanged = event({
  name: 'number.failover_changed',
  channel: 'companies',
  data: z.object({ companyId: id, numberId: id, viaNumberId: id.nullable() }),
  touches: ['getFailover'],
  about: ['numberId'],
});
