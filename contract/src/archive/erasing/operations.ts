import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, instant, one } from '../../schemas.ts';

const ofContact = { table: 'contact', param: 'contactId' } as const;
const contactId = z.object({ contactId: id });
const params = { contactId: 77 };
const batchId = '0199a8f0-0000-7000-8000-000000000001';

const hold = z.object({ reason: z.string(), by: z.string(), at: instant });

const erasure = z.object({
  numbers: z.array(z.string()).meta({ description: 'The person’s numbers' }),
  hold: hold.nullable().meta({ description: 'The legal hold that stops erasing; null: none' }),
  goes: z
    .object({
      calls: z.number(),
      texts: z.number(),
      faxes: z.number(),
      notes: z.number(),
      visits: z.number(),
      files: z.number(),
    })
    .meta({
      description:
        'What is deleted with the contact. `files`: recordings, pictures, faxes, and all exports, archives and import files, which may name the person',
    }),
  stays: z
    .array(z.object({ what: z.string(), why: z.string() }))
    .meta({ description: 'What is kept, and why' }),
});

export const previewErasure = operation({
  summary: 'Preview what erasing a person deletes, and what is kept and why',
  object: ofContact,
  params: contactId,
  answer: one(erasure),
  example: {
    params,
    answer: {
      data: {
        numbers: ['+12125550147'],
        hold: null,
        goes: { calls: 12, texts: 40, faxes: 0, notes: 2, visits: 3, files: 9 },
        stays: [{ what: 'Opt-outs and consent', why: 'No one texts this number by mistake.' }],
      },
    },
  },
});

export const getErasureState = operation({
  summary: 'Get whether a person’s data is under legal hold, and whether it is being erased',
  object: ofContact,
  params: contactId,
  answer: one(
    z.object({
      hold: hold
        .extend({
          reason: z.string().nullable().meta({
            description: 'Null for users who can’t erase a person’s data',
          }),
        })
        .nullable()
        .meta({ description: 'The legal hold; null: none' }),
      erasure: z
        .object({
          batchId: z.uuid(),
          progress: z.number().meta({ description: '0 to 100' }),
          failure: z.string().nullable().meta({
            description: 'Why the last attempt ended early, and what to do; null: it is under way',
          }),
        })
        .nullable()
        .meta({ description: 'The last time this person was erased; null: never' }),
    }),
  ),
  example: {
    params,
    answer: {
      data: {
        hold: { reason: 'Case 26-1182', by: 'Olivia Owner', at: '2026-11-21T09:15:04.000Z' },
        erasure: null,
      },
    },
  },
});

export const erasureProgress = operation({
  summary: 'Get how far erasing a person is',
  params: z.object({ companyId: id, batchId: z.uuid() }),
  answer: one(
    z.object({
      id: z.uuid(),
      progress: z.number().meta({ description: '0 to 100' }),
      finishedAt: instant.nullable(),
      failure: z.string().nullable().meta({ description: 'Why it ended early, and what to do' }),
    }),
  ),
  example: {
    params: { companyId: 1, batchId },
    answer: { data: { id: batchId, progress: 50, finishedAt: null, failure: null } },
  },
});

export const erasePerson = operation({
  summary:
    'Erase a person: the contact with its calls, texts, faxes, notes, visits and files. Runs as a job and can’t be undone',
  object: ofContact,
  status: 202,
  errors: ['person.held', 'person.on_call', 'person.erasing'],
  params: contactId,
  answer: one(z.object({ batchId: z.uuid(), status: z.literal('queued'), total: z.number() })),
  example: { params, answer: { data: { batchId, status: 'queued' as const, total: 5 } } },
});

export const holdPerson = operation({
  summary:
    'Put a person’s data under legal hold: it can’t be erased, nor deleted by hand or by age',
  object: ofContact,
  params: contactId,
  body: z.object({
    reason: z.string().trim().min(1, 'Enter a reason.').max(500, 'At most 500 characters.'),
  }),
  answer: one(hold),
  example: {
    params,
    body: { reason: 'Case 26-1182' },
    answer: {
      data: { reason: 'Case 26-1182', by: 'Olivia Owner', at: '2026-11-21T09:15:04.000Z' },
    },
  },
});

export const endLegalHold = operation({
  summary: 'End the legal hold on a person’s data',
  object: ofContact,
  status: 204,
  params: contactId,
  answer: empty,
  example: { params },
});
