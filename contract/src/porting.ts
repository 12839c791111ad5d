import { z } from 'zod';
import {
  companyIn,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import { normalizePhone } from './phone.ts';
import { documentBytes, portDocumentKinds, portStatuses } from './porting-rules.ts';

/** Port requests (decisions A14): moving numbers here from another carrier. Module: numbers. */
export * from './porting-rules.ts';

export const portStatus = z.enum(portStatuses);
const portType = z
  .union([z.literal(1), z.literal(2), z.literal(3)])
  .meta({ description: '1 local, 2 toll-free, 3 Canadian' });
const portService = z
  .union([z.literal(1), z.literal(2)])
  .meta({ description: '1 voice and SMS, 2 fax' });
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.')
  .refine(
    (d) =>
      !Number.isNaN(Date.parse(`${d}T00:00:00Z`)) &&
      new Date(`${d}T00:00:00Z`).toISOString().startsWith(d),
    'This day doesn’t exist.',
  )
  .meta({ description: 'A day, YYYY-MM-DD' });
const words = (most: number) => z.string().trim().max(most, `At most ${most} characters.`);
const phone = z
  .string()
  .max(40)
  .transform((typed, refine) => {
    if (!typed.trim()) return null;
    const number = normalizePhone(typed);
    if (number === null) refine.addIssue({ code: 'custom', message: 'Enter a phone number.' });
    return number;
  })
  .nullable();
const moving = z
  .string()
  .max(40)
  .transform((typed, refine) => {
    const number = normalizePhone(typed);
    if (number === null)
      refine.addIssue({ code: 'custom', message: `“${typed}” isn’t a phone number.` });
    else if (!number.startsWith('+1'))
      refine.addIssue({
        code: 'custom',
        message: `${typed} can’t be ported. Only numbers in the United States and Canada can.`,
      });
    return number ?? '';
  });
const numbersIn = z.array(moving).max(200, 'A request can have at most 200 numbers.');

const address = z.object({
  line1: words(120),
  line2: words(120),
  city: words(80),
  state: words(2).toUpperCase(),
  zip: words(10).toUpperCase(),
  country: z.enum(['US', 'CA'], 'Choose the country.'),
});
/** What may be saved; a draft may leave anything open. What is left out stays as it is. */
export const portDraft = z
  .object({
    numbers: numbersIn.min(1, 'Add at least one number.'),
    service: z.coerce.number<number>().pipe(portService),
    losing_carrier: words(120),
    account_number: words(60),
    pin: words(20).nullable(),
    billing_telephone_number: phone,
    customer_type: z.enum(['business', 'residential'], 'Choose an option.'),
    entity_name: words(160),
    authorized_first_name: words(80),
    authorized_last_name: words(80),
    authorized_email: words(254),
    authorized_phone: phone,
    service_address: address.partial(),
    requested_date: day.nullable(),
    partial: flag,
    template_id: id.nullable(),
    temporary_forward_number_id: id.nullable(),
  })
  .partial();
export type PortDraft = z.infer<typeof portDraft>;

export const portNumber = z.object({
  number: z.string(),
  formatted: z.string(),
  type: portType,
  portable: z.boolean().nullable(),
  reason: z.string().nullable(),
  status: z.enum(['pending', 'moving', 'completed', 'failed', 'canceled']),
  completed_at: instant.nullable(),
  number_id: id.nullable().meta({ description: 'The number it became here' }),
});
const portDocument = z.object({
  id,
  kind: z.enum(portDocumentKinds),
  name: z.string(),
  mime: z.string(),
  size: z.number(),
  bill_date: day.nullable(),
  url: z
    .string()
    .nullable()
    .meta({ description: 'Signed link, valid for 15 minutes; null without permission to edit' }),
  uploaded_at: instant,
});
const portEvent = z.object({
  id,
  kind: z.enum(['status', 'note', 'document', 'letter', 'change', 'alarm']),
  status: portStatus.nullable(),
  text: z.string(),
  by: z.string().nullable().meta({ description: 'null: the carrier or Trunkline' }),
  at: instant,
});
const fix = z.object({ code: z.string(), text: z.string(), fix: z.string() });
export const portAlarmCodes = ['still_moving', 'moved_anyway', 'not_installed'] as const;
export type PortAlarmCode = (typeof portAlarmCodes)[number];
const alarm = z
  .object({ code: z.enum(portAlarmCodes), text: z.string(), at: instant })
  .nullable()
  .meta({ description: 'The carrier did what the company was told wouldn’t happen' });

const signed_in_as = z.object({ name: z.string(), email: z.string() }).nullable().meta({
  description: 'The signed-in person who signed it here; null when it was signed on paper',
});
/** A14. Account number and PIN are told only to those who may edit. */
export const portRequest = z.object({
  id,
  status: portStatus,
  status_before: portStatus.nullable(),
  numbers: z.array(portNumber),
  service: portService,
  losing_carrier: z.string(),
  account_number: z.string(),
  pin: z.string().nullable(),
  billing_telephone_number: z.string().nullable(),
  customer_type: z.enum(['business', 'residential']),
  entity_name: z.string(),
  authorized_first_name: z.string(),
  authorized_last_name: z.string(),
  authorized_email: z.string(),
  authorized_phone: z.string().nullable(),
  service_address: address,
  requested_date: day.nullable(),
  partial: z.boolean(),
  loa: z.object({
    state: z.enum(['unsigned', 'sent', 'signed']),
    signed_at: instant.nullable(),
    signed_by: z.string().nullable(),
    signed_in_as,
    file: z.string().nullable().meta({
      description:
        'Signed link to the PDF, valid for 15 minutes; null without permission to edit, because it holds the account number',
    }),
  }),
  documents: z.array(portDocument),
  documents_wanted: z.array(z.enum(portDocumentKinds)),
  foc_date: day
    .nullable()
    .meta({ description: 'The day both carriers agreed on (firm order commitment)' }),
  rejection: fix.nullable(),
  alarm,
  notes: z.array(portEvent),
  events: z.array(portEvent),
  template_id: id.nullable(),
  temporary_forward_number_id: id.nullable(),
  earliest_date: day,
  needs: z
    .record(z.string(), z.string())
    .meta({ description: 'Field → what is missing before the request can be submitted' }),
  carrier: z.string().nullable(),
  carrier_ref: z.string().nullable(),
  cancel_reason: z.string().nullable(),
  created_by: z.object({ id, name: z.string() }).nullable(),
  created_at: instant,
  updated_at: instant,
  submitted_at: instant.nullable(),
  completed_at: instant.nullable(),
});
export type PortRequest = z.infer<typeof portRequest>;
export const portRow = z.object({
  id,
  status: portStatus,
  numbers: z
    .array(z.object({ number: z.string(), formatted: z.string() }))
    .meta({ description: 'The first three' }),
  numbers_count: z.number(),
  type: portType,
  service: portService,
  losing_carrier: z.string(),
  entity_name: z.string(),
  requested_date: day.nullable(),
  foc_date: day.nullable(),
  documents_wanted: z.array(z.enum(portDocumentKinds)),
  rejection: fix.nullable(),
  alarm,
  created_at: instant,
  updated_at: instant,
  submitted_at: instant.nullable(),
});
export type PortRow = z.infer<typeof portRow>;

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
const common = {
  permission: 'ports.edit',
  company: 'path',
  params: ofPort,
  answer: one(portRequest),
} as const;

export const portSorts = [
  'created_at',
  'updated_at',
  'requested_date',
  'foc_date',
  'status',
  'losing_carrier',
] as const;
export const listPorts = endpoint({
  name: 'listPorts',
  method: 'GET',
  path: '/company/{companyId}/ports',
  summary: 'List port requests',
  permission: 'ports.view',
  company: 'path',
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
export const createPort = endpoint({
  name: 'createPort',
  method: 'POST',
  path: '/company/{companyId}/numbers/port',
  summary:
    'Create a port request as a draft until it’s submitted. Numbers that can’t be ported are listed in `needs.numbers`, with `portable` false and a `reason`',
  permission: 'ports.edit',
  company: 'path',
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
export const portStats = endpoint({
  name: 'portStats',
  method: 'GET',
  path: '/company/{companyId}/ports/stats',
  summary: 'Count port requests',
  permission: 'ports.view',
  company: 'path',
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
export const checkPortability = endpoint({
  name: 'checkPortability',
  method: 'POST',
  path: '/company/{companyId}/ports/check',
  summary: 'Check whether numbers can be ported here. Nothing is saved',
  permission: 'ports.edit',
  company: 'path',
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
export const getPort = endpoint({
  name: 'getPort',
  method: 'GET',
  path: '/company/{companyId}/ports/{id}',
  summary: 'Get one port request with all details',
  permission: 'ports.view',
  company: 'path',
  params: ofPort,
  answer: one(portRequest),
  example: { params, answer: { data: example } },
});
export const savePort = endpoint({
  ...common,
  name: 'savePort',
  method: 'PUT',
  path: '/company/{companyId}/ports/{id}',
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
export const submitPort = endpoint({
  ...common,
  name: 'submitPort',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/submit',
  summary:
    'Submit a complete request to the carrier, resubmit a rejected one, or send requested documents',
  body: z.object({ ...companyIn }),
  refusals: ['port.not_now', 'port.not_portable', 'carrier.unreachable'],
  example: { params, body: {}, answer: { data: { ...example, status: 'submitted' } } },
});
export const cancelPort = endpoint({
  ...common,
  name: 'cancelPort',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/cancel',
  summary: 'Cancel the request; the numbers stay at their carrier',
  body: z.object({ reason: words(500).nullish(), ...companyIn }),
  refusals: ['port.not_now', 'port.too_late', 'carrier.unreachable'],
  example: {
    params,
    body: { reason: 'We’re staying with our carrier' },
    answer: { data: { ...example, status: 'canceled' } },
  },
});
export const addPortDocument = endpoint({
  ...common,
  name: 'addPortDocument',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/documents',
  summary: `Add a document: PDF, JPEG or PNG of at most ${documentBytes / 1024 / 1024} MB. A bill needs its date`,
  multipart: true,
  status: 201,
  body: z.object({
    kind: z.enum(portDocumentKinds, 'Choose the document type.'),
    bill_date: day.nullish(),
    ...companyIn,
  }),
  refusals: ['port.not_now'],
  example: { params, body: { kind: 'bill', bill_date: '2026-11-02' }, answer: { data: example } },
});
export const removePortDocument = endpoint({
  ...common,
  name: 'removePortDocument',
  method: 'DELETE',
  path: '/company/{companyId}/ports/{id}/documents/{documentId}',
  summary: 'Remove a document',
  params: ofPort.extend({ documentId: id }),
  refusals: ['port.not_now'],
  example: { params: { ...params, documentId: 5 }, answer: { data: example } },
});
export const portLetter = endpoint({
  name: 'portLetter',
  method: 'GET',
  path: '/company/{companyId}/ports/{id}/loa',
  summary: 'Get the current letter of authorization, and the hash of its text',
  permission: 'ports.view',
  company: 'path',
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
export const signPortLetter = endpoint({
  ...common,
  name: 'signPortLetter',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/loa/sign',
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
export const sendPortLetter = endpoint({
  ...common,
  name: 'sendPortLetter',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/loa/send',
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
export const addPortNote = endpoint({
  ...common,
  name: 'addPortNote',
  method: 'POST',
  path: '/company/{companyId}/ports/{id}/notes',
  summary: 'Add a note for teammates',
  status: 201,
  body: z.object({ text: words(2000).min(1, 'Enter a note.'), ...companyIn }),
  example: {
    params,
    body: { text: 'Called them, the PIN is coming by mail' },
    answer: { data: example },
  },
});

// ---- events ----------------------------------------------------------------------------------------------------------

const touches = ['listPorts', 'portStats', 'getPort', 'portLetter', 'numberStats'] as const;
export const portStatusChanged = event({
  name: 'port.moved',
  channel: 'companies',
  data: z.object({
    companyId: id,
    portId: id,
    status: portStatus,
    before: portStatus.nullable(),
    numbers: z.array(z.string()),
  }),
  touches,
});
export const portChanged = event({
  name: 'port.changed',
  channel: 'companies',
  data: z.object({ companyId: id, portId: id, what: z.string() }),
  touches,
});
/** The numbers ring here now. Whoever owns templates and routes gives them their settings. */
export const portCompleted = event({
  name: 'port.completed',
  channel: null,
  data: z.object({
    companyId: id,
    portId: id,
    numbers: z.array(z.object({ number: z.string(), numberId: id })),
    templateId: id.nullable(),
    temporaryNumberId: id.nullable(),
  }),
  touches: [],
});
