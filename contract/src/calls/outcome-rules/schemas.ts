import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { departments, outcomeTags } from '../rules.ts';

/** What a rule writes into a call; null leaves that as it is. */
const ruleSets = z.object({
  outcome_tag: z.enum(outcomeTags).nullable().default(null),
  department: z.enum(departments).nullable().default(null),
  qualified: z.boolean().nullable().default(null),
  lead: z.boolean().nullable().default(null),
});

const conditions = {
  phrase_list_id: id
    .nullable()
    .default(null)
    .meta({ description: 'A phrase of this list was said; null: whatever was said' }),
  min_talk_seconds: z.number().int().min(0).max(86_400).default(0),
  direction: z.enum(['inbound', 'outbound']).nullable().default(null),
};

/** When a rule applies and what it sets. */
export const ruleWanted = z.object({
  ...conditions,
  sets: ruleSets.refine((sets) => Object.values(sets).some((value) => value !== null), {
    message: 'Choose at least one thing to set.',
    path: ['outcome_tag'],
  }),
});
export type RuleWanted = z.infer<typeof ruleWanted>;

export const ruleName = z.string().trim().min(1, 'Enter a name.').max(60, 'At most 60 characters.');

export const outcomeRule = z.object({
  ...conditions,
  sets: ruleSets,
  id,
  name: z.string(),
  is_on: z.boolean(),
  phrase_list: z.object({ id, name: z.string() }).nullable(),
  set_count: z.number().meta({ description: 'Calls it changed' }),
  last_set_at: instant.nullable(),
  created_at: instant,
});
