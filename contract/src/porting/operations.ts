import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, flag, id, instant, listQuery, one, pageOf, sortBy } from '../schemas.ts';
import { documentBytes, portDocumentKinds, portSorts } from './rules.ts';
import {
  day,
  numbersIn,
  portDraft,
  portRequest,
  type PortRequest,
  portRow,
  portService,
  portStatus,
  portType,
  signed_in_as,
  words,
} from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: PortRequest = {
  id: 31,
  status: 'pending',
  status_before: null,
  numbers: [
    {
      number: '+12125552368',
      formatted: '(212) 555-2368',
      type: 1,
      portable: true,
      reason: null,
      status: 'pending',
      completed_at: null,
      number_id: null,
    },
  ],
  service: 1,
  losing_carrier: 'Old Bell',
  account_number: '884213',
  pin: '4321',
  billing_telephone_number: '+12125552368',
  customer_type: 'business',
  entity_name: 'Harbor Dental LLC',
  authorized_first_name: 'Olive',
  authorized_last_name: 'Owner',
  authorized_email: 'olive@harbor.test',
  authorized_phone: '+12125550147',
  service_address: {
    line1: '1 Water Street',
    line2: '',
    city: 'New York',
    state: 'NY',
    zip: '10004',
    country: 'US',
  },
  requested_date: '2026-12-09',
  partial: false,
  loa: { state: 'unsigned', signed_at: null, signed_by: null, signed_in_as: null, file: null },
  documents: [],
  documents_wanted: [],
  foc_date: null,
  rejection: null,
  alarm: null,
  notes: [],
  events: [],
  template_id: null,
  temporary_forward_number_id: null,
  earliest_date: '2026-12-03',
  needs: { loa: 'Sign the letter of authorization.' },
  carrier: null,
  carrier_ref: null,
  cancel_reason: null,
  created_by: { id: 1, name: 'Olive Owner' },
  created_at: at,
  updated_at: at,
  submitted_at: null,
  completed_at: null,
};

const ofCompany = z.object({ companyId: id });

const ofPort = z.object({ companyId: id, id });

const params = { companyId: 1, id: 31 };

const common = { params: ofPort, answer: one(portRequest) } as const;

export const listPorts = operation({
  summary: 'List port requests',
  params: ofCompany,
  paged: true,
  query: listQuery(
    {
      sort: sortBy(...portSorts),
      search: z
        .string()
        .trim()
        .max(100)
        .optional()
        .meta({ description: 'Part of a number, the carrier, or the name on the account' }),
      status: z
        .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(portStatus))
        .optional(),
      type: z.coerce.number<number>().pipe(portType).optional(),
      service: z.coerce.number<number>().pipe(portService).optional(),
      completed_30d: flag.optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(portRow),
  example: {
    params: { companyId: 1 },
    query: { status: ['pending'] },
    answer: {
      data: [
        {
          id: 31,
          status: 'pending',
          numbers: [{ number: '+12125552368', formatted: '(212) 555-2368' }],
          numbers_count: 1,
          type: 1,
          service: 1,
          losing_carrier: 'Old Bell',
          entity_name: 'Harbor Dental LLC',
          requested_date: null,
          foc_date: null,
          documents_wanted: [],
          rejection: null,
          alarm: null,
          created_at: at,
          updated_at: at,
          submitted_at: null,
        },
      ],
    },
  },
});

export const createPort = operation({
  summary:
    'Create a port request as a draft until it’s submitted. Numbers that can’t be ported are listed in `needs.numbers`, with `portable` false and a `reason`',
  params: ofCompany,
  status: 201,
  body: portDraft.extend({ numbers: numbersIn.min(1, 'Add at least one number.') }),
  answer: one(portRequest),
  refusals: ['port.open', 'port.mixed_types', 'carrier.unreachable'],
  example: {
    params: { companyId: 1 },
    body: { numbers: ['+12125552368'], service: 1, losing_carrier: 'Old Bell' },
    answer: { data: example },
  },
});

export const portStats = operation({
  summary: 'Count port requests',
  params: ofCompany,
  answer: one(
    z.object({
      pending: z.number(),
      documentsRequested: z.number(),
      inProgress: z
        .number()
        .meta({ description: 'At the carrier: submitted, in progress or scheduled' }),
      completed30d: z.number(),
      rejected: z.number(),
    }),
  ),
  example: {
    params: { companyId: 1 },
    answer: {
      data: { pending: 1, documentsRequested: 0, inProgress: 2, completed30d: 3, rejected: 0 },
    },
  },
});

export const checkPortability = operation({
  summary: 'Check whether numbers can be ported here. Nothing is saved',
  params: ofCompany,
  body: z.object({ numbers: numbersIn.min(1, 'Add at least one number.') }),
  answer: one(
    z.object({
      numbers: z.array(
        z.object({
          number: z.string(),
          formatted: z.string(),
          type: portType,
          portable: z.boolean(),
          reason: z.string().nullable(),
          sentence: z.string().nullable(),
          losing_carrier: z.string().nullable(),
        }),
      ),
      mixed: z.boolean(),
      earliest_date: day,
    }),
  ),
  refusals: ['carrier.unreachable'],
  example: {
    params: { companyId: 1 },
    body: { numbers: ['+12125552368'] },
    answer: {
      data: {
        numbers: [
          {
            number: '+12125552368',
            formatted: '(212) 555-2368',
            type: 1,
            portable: true,
            reason: null,
            sentence: null,
            losing_carrier: 'Old Bell',
          },
        ],
        mixed: false,
        earliest_date: '2026-12-03',
      },
    },
  },
});

export const getPort = operation({
  summary: 'Get one port request with all details',
  params: ofPort,
  answer: one(portRequest),
  example: { params, answer: { data: example } },
});

export const savePort = operation({
  ...common,
  summary:
    'Update the draft, or fix what a carrier rejected. A change to the letter’s content voids its signature',
  body: portDraft,
  refusals: ['port.not_now', 'port.open', 'port.mixed_types', 'carrier.unreachable'],
  example: {
    params,
    body: { account_number: '884213', requested_date: '2026-12-09' },
    answer: { data: example },
  },
});

export const submitPort = operation({
  ...common,
  summary:
    'Submit a complete request to the carrier, resubmit a rejected one, or send requested documents',
  body: z.object({ ...companyIn }),
  refusals: ['port.not_now', 'port.not_portable', 'carrier.unreachable'],
  example: { params, body: {}, answer: { data: { ...example, status: 'submitted' } } },
});

export const cancelPort = operation({
  ...common,
  summary: 'Cancel the request; the numbers stay at their carrier',
  body: z.object({ reason: words(500).nullish(), ...companyIn }),
  refusals: ['port.not_now', 'port.too_late', 'carrier.unreachable'],
  example: {
    params,
    body: { reason: 'We’re staying with our carrier' },
    answer: { data: { ...example, status: 'canceled' } },
  },
});

export const addPortDocument = operation({
  ...common,
  summary: `Add a document: PDF, JPEG or PNG of at most ${documentBytes / 1024 / 1024} MB. A bill needs its date`,
  status: 201,
  body: z.object({
    kind: z.enum(portDocumentKinds, 'Choose the document type.'),
    bill_date: day.nullish(),
    ...companyIn,
  }),
  refusals: ['port.not_now'],
  example: { params, body: { kind: 'bill', bill_date: '2026-11-02' }, answer: { data: example } },
});

export const removePortDocument = operation({
  ...common,
  summary: 'Remove a document',
  params: ofPort.extend({ documentId: id }),
  refusals: ['port.not_now'],
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
  refusals: ['port.not_now', 'port.letter_changed'],
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
  refusals: ['port.not_now'],
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
