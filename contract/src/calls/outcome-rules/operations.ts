import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';
import { dryRunOf } from '../phrases/schemas.ts';
import { callFoundExample } from '../search/examples.ts';
import { callFound } from '../search/schemas.ts';
import { outcomeRule, ruleName, ruleWanted } from './schemas.ts';

const params = z.object({ companyId: id });
const ruleParams = params.extend({ ruleId: id });
const companyId = 7300412;

const wantedExample = {
  phrase_list_id: 8123,
  min_talk_seconds: 60,
  direction: null,
  sets: { outcome_tag: 'appt_booked' as const, department: null, qualified: true, lead: null },
};
const example = {
  ...wantedExample,
  id: 9001,
  name: 'Booked',
  is_on: true,
  phrase_list: { id: 8123, name: 'Booking' },
  set_count: 31,
  last_set_at: '2026-11-26T17:02:11.000Z',
  created_at: '2026-11-21T09:15:04.000Z',
};
const body = ruleWanted.extend({ name: ruleName, is_on: z.boolean().default(true) });
const bodyExample = { name: 'Booked', is_on: true, ...wantedExample };

export const listOutcomeRules = operation({
  summary: 'List the rules that set outcome, department and qualification, in the order they run',
  params,
  answer: z.object({ data: z.array(outcomeRule) }),
  example: { params: { companyId }, answer: { data: [example] } },
});

export const createOutcomeRule = operation({
  summary:
    'Add a rule. It runs on calls that end and transcripts that arrive from now on, and never changes what a person set',
  params,
  body,
  status: 201,
  answer: one(outcomeRule),
  errors: ['outcome_rule.too_many'],
  example: { params: { companyId }, body: bodyExample, answer: { data: example } },
});

export const tryOutcomeRule = operation({
  summary: 'Find the calls of the last 30 days that a rule would change. Stores nothing',
  params,
  body: ruleWanted,
  answer: dryRunOf(
    callFound.extend({
      changes: z.array(z.string()).meta({
        description: 'What it would set: `outcome_tags`, `department`, `qualified`, `lead`',
      }),
    }),
  ),
  example: {
    params: { companyId },
    body: wantedExample,
    answer: {
      data: {
        since: '2026-10-22T09:15:04.000Z',
        total: 1,
        is_partial: false,
        calls: [{ ...callFoundExample, changes: ['outcome_tags', 'qualified'] }],
      },
    },
  },
});

export const updateOutcomeRule = operation({
  summary: 'Change a rule, or turn it off and on. Calls it changed before stay as they are',
  params: ruleParams,
  body,
  answer: one(outcomeRule),
  errors: ['not_found'],
  example: { params: { companyId, ruleId: 9001 }, body: bodyExample, answer: { data: example } },
});

export const deleteOutcomeRule = operation({
  summary: 'Delete a rule. Calls it changed stay as they are',
  params: ruleParams,
  status: 204,
  answer: empty,
  errors: ['not_found'],
  example: { params: { companyId, ruleId: 9001 } },
});
