import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, one } from '../../schemas.ts';
import { calls, carrierAccount, type CarrierAccount, failover, type Failover } from './schemas.ts';

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

export const getFailover = operation({
  summary: 'Get the carrier of a number, and its failover number',
  object,
  params,
  answer: one(failover),
  example: { params: { id: 11 }, answer: { data: example } },
});

export const setFailover = operation({
  summary:
    'Set the failover number for texts and calls the carrier certainly didn’t accept (null: they wait). One with an unknown result is never sent through failover',
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

export const listCarriers = operation({
  summary: 'List the connected carriers and their account status, checked every 15 minutes',
  query: z.object({ ...companyIn }),
  answer: one(z.array(carrierAccount)),
  example: { query: { company_id: 1 }, answer: { data: accounts } },
});

export const listPlatformCarriers = operation({
  summary: 'List the carriers of this installation with the numbers they carry; for platform staff',
  answer: one(
    z.array(
      carrierAccount.extend({
        numbers: z.number().int().meta({ description: 'Held there, those being released too' }),
        companies: z.number().int().meta({ description: 'Companies these numbers belong to' }),
      }),
    ),
  ),
  example: { answer: { data: accounts.map((one) => ({ ...one, numbers: 14, companies: 3 })) } },
});

export const checkCarriers = operation({
  summary:
    'Check the account at each carrier now. Texts waiting for a carrier that works again are sent immediately',
  body: z.object({ ...companyIn }),
  answer: one(z.array(carrierAccount)),
  example: { body: { company_id: 1 }, answer: { data: accounts } },
});
