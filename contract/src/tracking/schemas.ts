import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { lostReasons, sourceGroups, sourceKinds, sourceLimits } from './rules.ts';

/** One condition that gives a visit to a source. */
const sourceRule = z.object({
  id: z.string().meta({ description: 'Stays the same while the rule exists' }),
  on: z.enum(['url', 'param', 'referrer']),
  match: z.enum(['contains', 'equals', 'regex', 'present', 'host']),
  name: z.string().nullable().meta({ description: 'The parameter; null for `url` and `referrer`' }),
  value: z.string(),
});
export type SourceRule = z.infer<typeof sourceRule>;

export const source = z.object({
  id,
  key: z.string(),
  label: z.string(),
  kind: z.enum(sourceKinds),
  group: z.enum(sourceGroups),
  precedence: z.number().meta({ description: 'The lower number is asked first' }),
  rules: z.array(sourceRule),
  isSystem: z.boolean(),
  createdAt: instant.nullable(),
  updatedAt: instant.nullable(),
});
export type Source = z.infer<typeof source>;

const value = z
  .string()
  .trim()
  .min(1, 'Enter what to look for.')
  .max(500, 'At most 500 characters.');
const ruleId = z
  .string()
  .max(60)
  .optional()
  .meta({ description: 'Of a rule that exists; a rule without it is new' });

const sourceRuleIn = z.discriminatedUnion('on', [
  z.object({
    id: ruleId,
    on: z.literal('url'),
    match: z.enum(['contains', 'equals', 'regex']),
    value,
  }),
  z.object({
    id: ruleId,
    on: z.literal('param'),
    name: z
      .string()
      .trim()
      .regex(/^[\w.[\]-]{1,100}$/, 'Enter the name of a parameter, such as utm_source.'),
    value,
  }),
  z.object({
    id: ruleId,
    on: z.literal('referrer'),
    value: value.regex(
      /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i,
      'Enter a website, such as example.com.',
    ),
  }),
]);
export type SourceRuleIn = z.infer<typeof sourceRuleIn>;

export const sourceIn = {
  label: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
  kind: z.enum(sourceKinds),
  group: z.enum(sourceGroups),
  rules: z.array(sourceRuleIn).max(sourceLimits.rules, `At most ${sourceLimits.rules} rules.`),
};

/** What a visit's source is, and the rule that decided. */
export const classification = z.object({
  source: z.object({
    id,
    key: z.string(),
    label: z.string(),
    kind: z.enum(sourceKinds),
    group: z.enum(sourceGroups),
  }),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  term: z.string().nullable(),
  content: z.string().nullable(),
  referrerHost: z.string().nullable(),
  clickIds: z.record(z.string(), z.string()),
  ruleId: z.string(),
  step: z.number().meta({ description: 'Which of the seven steps of classification decided' }),
  evidence: z.string().meta({ description: 'The fact that the rule recognized' }),
  isNewTouch: z.boolean().meta({
    description: 'False when the visitor comes from the site itself or back from paying',
  }),
  lost: z.array(
    z.object({
      ruleId: z.string(),
      step: z.number(),
      sourceKey: z.string().nullable(),
      evidence: z.string(),
      why: z.enum(lostReasons),
    }),
  ),
});
export type Classification = z.infer<typeof classification>;
