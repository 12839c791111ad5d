import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';
import { callFound } from '../search/schemas.ts';
import { callFoundExample } from '../search/examples.ts';
import { dryRunOf, phraseList, phraseListName, phrasesWanted } from './schemas.ts';

const params = z.object({ companyId: id });
const listParams = params.extend({ listId: id });
const companyId = 7300412;

const wantedExample = {
  phrases: ['book an appointment', 'schedule a cleaning', 'see you on'],
  said_by: 'either' as const,
  at_least: 1,
};
const example = {
  ...wantedExample,
  id: 8123,
  name: 'Booking',
  alert: false,
  calls: 14,
  created_at: '2026-11-21T09:15:04.000Z',
  updated_at: '2026-11-21T09:15:04.000Z',
};
const body = phrasesWanted.extend({
  name: phraseListName,
  alert: z.boolean().default(false).meta({ description: 'Raise an alert when a phrase is said' }),
});
const bodyExample = { name: 'Booking', ...wantedExample };

export const listPhraseLists = operation({
  summary: 'List the phrases that are looked for in transcripts, by name',
  params,
  answer: z.object({ data: z.array(phraseList) }),
  example: { params: { companyId }, answer: { data: [example] } },
});

export const createPhraseList = operation({
  summary:
    'Add a list of phrases. They are looked for in transcripts as they arrive, and in those of the last 30 days',
  params,
  body,
  status: 201,
  answer: one(phraseList),
  errors: ['phrase_list.exists', 'phrase_list.too_many'],
  example: { params: { companyId }, body: bodyExample, answer: { data: example } },
});

export const tryPhraseList = operation({
  summary: 'Find the calls of the last 30 days in which these phrases were said. Stores nothing',
  params,
  body: phrasesWanted,
  answer: dryRunOf(callFound),
  example: {
    params: { companyId },
    body: wantedExample,
    answer: {
      data: {
        since: '2026-10-22T09:15:04.000Z',
        total: 1,
        is_partial: false,
        calls: [callFoundExample],
      },
    },
  },
});

export const updatePhraseList = operation({
  summary: 'Change a list of phrases. Calls of the last 30 days are searched again',
  params: listParams,
  body,
  answer: one(phraseList),
  errors: ['not_found', 'phrase_list.exists'],
  example: { params: { companyId, listId: 8123 }, body: bodyExample, answer: { data: example } },
});

export const deletePhraseList = operation({
  summary: 'Delete a list of phrases, and what calls say of it. Rules that use it must go first',
  params: listParams,
  status: 204,
  answer: empty,
  errors: ['not_found', 'phrase_list.used'],
  example: { params: { companyId, listId: 8123 } },
});
