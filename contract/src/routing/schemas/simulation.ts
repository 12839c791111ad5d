import { z } from 'zod';
import { normalizePhone } from '../../phone.ts';
import { menu, routesIn } from './routes.ts';

const reaction = z.enum(['answers', 'no answer', 'busy', 'declines', 'no key']);

export const simulationIn = z.object({
  from: z
    .string()
    .trim()
    .max(40)
    .default('')
    .refine(
      (from) => from === '' || /^anonymous$/i.test(from) || normalizePhone(from) !== null,
      'Enter a phone number, or leave it empty for a withheld number.',
    )
    .meta({ description: 'Caller in E.164; empty: withheld' }),
  at: z.iso
    .datetime({ offset: true, message: 'Use an ISO-8601 timestamp.' })
    .optional()
    .meta({ description: 'Time of the call; now by default' }),
  pressed: z
    .array(z.coerce.string().regex(/^[\d*#]{1,10}$/, 'Use digits, * and #.'))
    .max(20)
    .default([]),
  routes: routesIn.optional().meta({ description: 'Test these routes instead of the saved ones' }),
  menu: menu.optional().meta({ description: 'Test this menu instead of the saved one' }),
  draft: z.boolean().optional().meta({ description: 'Test the draft, if there is one' }),
  version: z.number().int().positive().optional().meta({ description: 'Test an earlier version' }),
  answers: z
    .union([reaction, z.record(z.string().max(140), reaction)])
    .default('answers')
    .meta({
      description:
        'What every destination does, or what each does by key (E.164, SIP address, `user:7`), where `*` means all others',
    }),
});

export const simulation = z.object({
  outcome: z.enum([
    'connected',
    'voicemail',
    'no_answer',
    'rejected',
    'missed',
    'abandoned',
    'blocked',
  ]),
  status: z.number(),
  steps: z.array(
    z.object({
      i: z.number(),
      at: z.string(),
      node: z.string(),
      rule: z.string(),
      matched: z.boolean(),
      because: z.string(),
      target: z.string().nullable(),
      duration: z.number(),
      extension: z.number().nullable().meta({ description: 'The route the call is in' }),
    }),
  ),
  warnings: z.array(z.string()),
});

export type SimulationAnswer = z.infer<typeof simulation>;
