import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, one } from '../../schemas.ts';
import { contactExample } from '../examples.ts';
import { contact } from '../schemas.ts';

const side = z.enum(['this', 'with']);

const choose = z.record(z.string().max(40), side).meta({
  description:
    'Field → which value to keep: `this` or `with`. Left out: this one’s, unless it’s empty',
});

const merging = { object: { table: 'contact', param: 'id' } } as const;

export const previewMerge = operation({
  summary: 'Preview the result of merging two contacts',
  ...merging,
  errors: ['contact.merge_self'],
  params: z.object({ id }),
  query: z.object({ with: id, choose: choose.optional(), ...companyIn }),
  answer: one(
    z.object({
      this: contact,
      with: contact,
      merged: contact,
      differing: z.array(z.string()),
      optedOut: z
        .array(z.string())
        .meta({ description: 'Which of the two numbers opted out; each stays opted out' }),
    }),
  ),
  example: { params: { id: 77 }, query: { with: 78 } },
});

export const mergeContacts = operation({
  summary:
    'Merge another contact into this one, with its groups, labels, names, emails, numbers and conversations. Can be undone for 30 days',
  ...merging,
  errors: ['contact.merge_self'],
  params: z.object({ id }),
  body: z.object({ with: id, choose: choose.optional(), ...companyIn }),
  answer: one(z.object({ mergeId: id, contact })),
  example: {
    params: { id: 77 },
    body: { with: 78, choose: { name: 'with' } },
    answer: { data: { mergeId: 5, contact: contactExample } },
  },
});

export const undoMerge = operation({
  summary: 'Undo a merge. Changes made by hand since then stay',
  ...merging,
  errors: ['contact.merge_undone', 'contact.merge_old', 'contact.exists'],
  params: z.object({ id, mergeId: id }),
  body: z.object({ ...companyIn }),
  answer: one(z.object({ contact, other: contact })),
  example: {
    params: { id: 77, mergeId: 5 },
    body: {},
    answer: {
      data: {
        contact: contactExample,
        other: { ...contactExample, id: 78, number: '+12125550148' },
      },
    },
  },
});
