import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, instant, one } from '../../schemas.ts';
import { documentBytes, portDocumentKinds } from '../rules.ts';
import { day, signed_in_as, words } from '../schemas.ts';
import { example, ofPort, params, common } from './shared.ts';

export const addPortDocument = operation({
  ...common,
  summary: `Add a document: PDF, JPEG or PNG of at most ${documentBytes / 1024 / 1024} MB. A bill needs its date`,
  status: 201,
  body: z.object({
    kind: z.enum(portDocumentKinds, 'Choose the document type.'),
    bill_date: day.nullish(),
    ...companyIn,
  }),
  errors: ['port.not_now'],
  example: { params, body: { kind: 'bill', bill_date: '2026-11-02' }, answer: { data: example } },
});

export const removePortDocument = operation({
  ...common,
  summary: 'Remove a document',
  params: ofPort.extend({ documentId: id }),
  errors: ['port.not_now'],
  example: { params: { ...params, documentId: 5 }, answer: { data: example } },
});

export const portLetter = operation({
  summary: 'Get the current letter of authorization, and the hash of its text',
  params: ofPort,
  answer: one(
    z.object({
      title: z.string(),
      paragraphs: z.array(z.string()),
      facts: z.array(z.tuple([z.string(), z.string()])),
      hash: z.string(),
      state: z.enum(['unsigned', 'sent', 'signed']),
      signed_at: instant.nullable(),
      signed_by: z.string().nullable(),
      signed_in_as,
      valid_until: instant.nullable(),
      file: z.string().nullable(),
    }),
  ),
  example: {
    params,
    answer: {
      data: {
        title: 'Letter of authorization',
        paragraphs: ['I authorize…'],
        facts: [['Current carrier', 'Old Bell']],
        hash: 'b5bb9d80…',
        state: 'unsigned',
        signed_at: null,
        signed_by: null,
        signed_in_as: null,
        valid_until: null,
        file: null,
      },
    },
  },
});

export const signPortLetter = operation({
  ...common,
  summary:
    'Sign the letter of authorization with a typed name or a drawn signature. Stored with time, IP address and the hash of the text',
  body: z.object({
    name: words(160)
      .min(3, 'Type your full name.')
      .meta({ description: 'The authorized person’s name, as in the letter' }),
    drawing: z
      .string()
      .max(300_000, 'This drawing is too large.')
      .regex(/^data:image\/png;base64,[A-Za-z0-9+/=]+$/, 'Draw again.')
      .nullish()
      .meta({
        description: 'A PNG as a data: URL; without it the typed name is the signature',
      }),
    hash: z.string().max(128).meta({
      description: 'From GET …/loa, so that the text that was read is the text that is signed',
    }),
    agree: z.literal(true, 'Confirm that you’re authorized to sign for this account.'),
    ...companyIn,
  }),
  errors: ['port.not_now', 'port.letter_changed'],
  example: {
    params,
    body: { name: 'Olive Owner', hash: 'b5bb9d80', agree: true },
    answer: { data: example },
  },
});

export const sendPortLetter = operation({
  ...common,
  summary:
    'Email the letter to the authorized person to sign on paper; the signed copy comes back as a document of kind loa',
  body: z.object({ ...companyIn }),
  errors: ['port.not_now'],
  example: {
    params,
    body: {},
    answer: { data: { ...example, loa: { ...example.loa, state: 'sent' } } },
  },
});

export const addPortNote = operation({
  ...common,
  summary: 'Add a note for teammates',
  status: 201,
  body: z.object({ text: words(2000).min(1, 'Enter a note.'), ...companyIn }),
  example: {
    params,
    body: { text: 'Called them, the PIN is coming by mail' },
    answer: { data: example },
  },
});
