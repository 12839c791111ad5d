import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { carrierStates } from './rules.ts';

/** The carrier of a number, and the failover number for its texts and calls. */
const brief = z.object({
  id,
  number: z.string(),
  label: z.string(),
  carrier: z.string().meta({ description: 'Display name: “Twilio”' }),
  can_text: z.boolean(),
  can_call: z.boolean(),
});

export const calls = z.enum(['never', 'away', 'refused']).meta({
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
