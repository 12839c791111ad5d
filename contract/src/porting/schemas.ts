import { z } from 'zod';
import { normalizePhone } from '../phone.ts';
import { flag, id, instant } from '../schemas.ts';
import { portAlarmCodes, portDocumentKinds, portStatuses } from './rules.ts';

export const portStatus = z.enum(portStatuses);

export const portType = z
  .union([z.literal(1), z.literal(2), z.literal(3)])
  .meta({ description: '1 local, 2 toll-free, 3 Canadian' });

export const portService = z
  .union([z.literal(1), z.literal(2)])
  .meta({ description: '1 voice and SMS, 2 fax' });

export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'Choose a day.')
  .refine(
    (d) =>
      !Number.isNaN(Date.parse(`${d}T00:00:00Z`)) &&
      new Date(`${d}T00:00:00Z`).toISOString().startsWith(d),
    'This day doesn’t exist.',
  )
  .meta({ description: 'A day, YYYY-MM-DD' });

/** Trimmed text of at most `most` characters. */
export const words = (most: number) => z.string().trim().max(most, `At most ${most} characters.`);

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

export const numbersIn = z.array(moving).max(200, 'A request can have at most 200 numbers.');

const address = z.object({
  line1: words(120),
  line2: words(120),
  city: words(80),
  state: words(2).toUpperCase(),
  zip: words(10).toUpperCase(),
  country: z.enum(['US', 'CA'], 'Choose the country.'),
});

/** Body of saving a draft, which can be incomplete; absent fields are unchanged. */
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

const portNumber = z.object({
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

const alarm = z
  .object({ code: z.enum(portAlarmCodes), text: z.string(), at: instant })
  .nullable()
  .meta({ description: 'The carrier did what the company was told wouldn’t happen' });

export const signed_in_as = z.object({ name: z.string(), email: z.string() }).nullable().meta({
  description: 'The signed-in person who signed it here; null when it was signed on paper',
});

/** Port request (A14). Account number and PIN are shown only to people who can edit it. */
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
