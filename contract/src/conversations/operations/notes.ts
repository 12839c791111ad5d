import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, one } from '../../schemas.ts';
import { at } from '../examples.ts';
import { noteModels } from '../rules.ts';
import { note } from '../schemas.ts';

const noteExample = {
  id: 88,
  body: 'Asked about whitening.',
  model_type: 'conversation' as const,
  model_id: 9001,
  user: { id: 5, name: 'Una User' },
  mentions: [],
  created_at: at,
  updated_at: at,
  edited: false,
};

const noteBody = z
  .string()
  .trim()
  .min(1, 'Enter a note.')
  .max(5000, 'A note can have at most 5,000 characters.');

export const addNote = operation({
  summary: 'Add a note to a call, a conversation or another record; only teammates see it',
  status: 201,
  body: z.object({
    model_type: z.enum(noteModels),
    model_id: id,
    body: noteBody,
    mentions: z.array(id).max(20).optional(),
    ...companyIn,
  }),
  answer: one(note),
  example: {
    body: {
      company_id: 1,
      model_type: 'conversation',
      model_id: 9001,
      body: 'Asked about whitening.',
    },
    answer: { data: noteExample },
  },
});

export const updateNote = operation({
  summary: 'Update a note; users can update only their own',
  object: { table: 'note', param: 'id' },
  errors: ['note.not_yours'],
  params: z.object({ id }),
  body: z.object({ body: noteBody, mentions: z.array(id).max(20).optional(), ...companyIn }),
  answer: one(note),
  example: {
    params: { id: 88 },
    body: { body: 'Asked about whitening, twice.' },
    answer: { data: { ...noteExample, edited: true } },
  },
});

export const deleteNote = operation({
  summary: 'Delete a note; users can delete only their own',
  object: { table: 'note', param: 'id' },
  status: 204,
  errors: ['note.not_yours', 'hold.keeps'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 88 } },
});

export const listNotes = operation({
  summary: 'List the notes on one record, oldest first',
  query: z.object({ model_type: z.enum(noteModels), model_id: id, ...companyIn }),
  answer: z.object({ data: z.array(note) }),
  example: {
    query: { company_id: 1, model_type: 'call', model_id: 48213377024 },
    answer: { data: [noteExample] },
  },
});
