import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { fieldValue, fieldValuesIn } from '../../fields/schemas.ts';
import { normalizePhone } from '../../phone.ts';
import { flag, id, instant } from '../../schemas.ts';
import {
  numberBounds,
  numberCategories,
  numberStatuses,
  routingTypes,
  verificationStatuses,
} from '../rules.ts';
import { numberTrigger } from '../triggers/schemas.ts';

/**
 * A numeric choice, also accepted as digits in a string. Anything but a key of `labels` is refused.
 */
export const oneOf = <K extends number>(labels: Record<K, string>, description: string) =>
  z.coerce
    .number<number>()
    .int()
    .refine((n) => n in labels, 'Choose one from the list.')
    .transform((n) => n as K)
    .meta({ description });

export const category = oneOf(
  numberCategories,
  '1 Toll-Free Voice & SMS, 2 Local Voice & SMS, 3 Fax number, 4 Bulk numbers',
);

export const numberStatus = z.enum(numberStatuses);

const number12 = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export const number14 = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]);

export const e164 = z
  .string()
  .max(40)
  .transform((typed, refine) => {
    const number = normalizePhone(typed);
    if (number === null)
      refine.addIssue({ code: 'custom', message: `“${typed}” isn’t a phone number.` });
    return number ?? '';
  });

export const numberTag = z.object({ id, name: z.string(), color: z.string() });

const verificationStatus = {
  status: z
    .enum(verificationStatuses)
    .nullable()
    .meta({ description: 'null: this number has no registration' }),
  needed: z
    .boolean()
    .meta({ description: 'Texts from it are rejected until its registration is approved' }),
};

const smsVerification = z.object({
  ...verificationStatus,
  campaign_id: id.nullable(),
  type: z.enum(['local', 'toll_free']),
  updated_at: instant.nullable(),
  reason: z.string().nullable(),
});

const numberVoicemail = z.object({
  enabled: z.boolean(),
  greeting_id: id.nullable(),
  greeting: z
    .string()
    .nullable()
    .meta({ description: 'Text read to the caller; null: the default text' }),
  transcribe: z.boolean(),
  email: z.array(z.string()),
  sms_notify: z.boolean(),
});

const numberPort = z.object({
  id,
  status: z.string(),
  losing_carrier: z.string(),
  completed_at: instant.nullable(),
});

/**
 * A number (A6.1) without `routes`, which routing adds. `returns_at`: when a number being released
 * returns to the carrier.
 */
export const numberDetail = z.object({
  id,
  number: z.string().meta({ description: 'E.164' }),
  formatted: z.string(),
  label: z.string(),
  status: numberStatus,
  kind: number12,
  category: number14,
  provider_id: number14,
  provider_ref: z.string().nullable(),
  is_toll_free: z.boolean(),
  is_vanity: z.boolean(),
  vanity_text: z.string().nullable(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  rate_center: z.string(),
  area_code: z.string(),
  timezone: z.string().nullable(),
  routingType: z.enum(routingTypes),
  forwardNumber: z.string().nullable(),
  schedule_id: id.nullable(),
  greeting_id: id.nullable(),
  voicemail: numberVoicemail,
  record: z.boolean(),
  recording_announcement: z.enum(['none', 'default', 'custom']),
  recording_announcement_text: z.string().nullable(),
  recording_announcement_greeting_id: id
    .nullable()
    .meta({ description: 'With custom: a greeting instead of text' }),
  recording_retention_days: z.number().nullable(),
  call_transcription_enabled: z.boolean(),
  ai_eav_enabled: z.boolean(),
  sms_enabled: z.boolean(),
  mms_enabled: z.boolean(),
  fax_enabled: z.boolean(),
  sms_verification: smsVerification,
  caller_id_name: z.string().nullable(),
  spam_status: z
    .enum(['unknown', 'clean', 'flagged'])
    .meta({ description: 'flagged: some networks show its calls as spam' }),
  spam_labels: z
    .array(z.string())
    .meta({ description: 'The networks and apps that show its calls as spam' }),
  spam_checked_at: instant.nullable(),
  e911: z.object({ enabled: z.boolean(), address_id: id.nullable() }),
  triggers: z.array(numberTrigger),
  tags: z.array(numberTag),
  dni_pool_id: id.nullable(),
  template_id: id.nullable(),
  port: numberPort.nullable().meta({ description: 'The port request that brought it here' }),
  hasNotificationBlocks: z.boolean(),
  unread_messages_count: z.number(),
  eavAttributeValues: z.array(fieldValue),
  user_ids: z.array(id).meta({
    description:
      'People limited to certain numbers that include this one; people who see every number aren’t listed',
  }),
  monthly_price_cents: z.number(),
  currency: z.literal('USD'),
  purchased_at: instant,
  last_call_at: instant.nullable(),
  last_message_at: instant.nullable(),
  last_swap_at: instant.nullable(),
  next_renewal_at: instant.nullable(),
  releasing_at: instant.nullable(),
  returns_at: instant.nullable(),
  lease: z
    .object({
      listing_id: id,
      ends_at: instant.nullable(),
      monthly_cents: z.number().nullable(),
      term_months: z.number().nullable(),
      notice_at: instant.nullable(),
      renewable: z.boolean(),
    })
    .nullable()
    .meta({ description: 'Leased on the marketplace; then it returns to its owner' }),
  created_at: instant,
  updated_at: instant,
});

export type NumberDetail = z.infer<typeof numberDetail>;

/** List row (A6.1). */
export const numberRow = z.object({
  id,
  number: z.string(),
  formatted: z.string(),
  label: z.string(),
  category: number14,
  kind: number12,
  status: numberStatus,
  routingType: z.enum(routingTypes),
  forwardNumber: z.string().nullable(),
  tags: z.array(numberTag),
  region: z.string(),
  city: z.string(),
  sms_enabled: z.boolean(),
  sms_verification: z.object(verificationStatus),
  dni_pool: z.object({ id, name: z.string() }).nullable(),
  record: z.boolean(),
  unread_messages_count: z.number(),
  last_call_at: instant.nullable(),
  last_message_at: instant.nullable(),
  returns_at: instant.nullable(),
  purchased_at: instant,
  eavAttributeValues: z.array(fieldValue),
});

export type NumberRow = z.infer<typeof numberRow>;

export const numberSlim = z.object({
  id,
  number: z.string(),
  formatted: z.string(),
  label: z.string(),
  sms_enabled: z.boolean(),
  category: number14,
  status: numberStatus,
});

/** Body of PUT /numbers/{id} without routes; absent fields are unchanged. */
export const numberPatch = z
  .object({
    label: z.string().trim().max(80, 'At most 80 characters.'),
    tags: z
      .array(z.string().trim().min(1, 'Enter a tag name.').max(50, 'At most 50 characters.'))
      .max(50),
    record: flag,
    recording_announcement: z.enum(['none', 'default', 'custom']),
    recording_announcement_text: z.string().trim().max(1000, 'At most 1000 characters.').nullable(),
    recording_announcement_greeting_id: id.nullable(),
    recording_retention_days: z.coerce
      .number<number>()
      .int()
      .min(numberBounds.recording_retention_days[0], 'At least 30 days.')
      .max(numberBounds.recording_retention_days[1], 'At most 3650 days.')
      .nullable(),
    call_transcription_enabled: flag,
    ai_eav_enabled: flag,
    sms_enabled: flag,
    mms_enabled: flag,
    fax_enabled: flag,
    caller_id_name: z
      .string()
      .trim()
      .max(15, 'At most 15 characters.')
      .regex(/^[A-Za-z0-9 .,&'-]*$/, 'Use letters, digits and spaces.')
      .nullable(),
    voicemail: z
      .object({
        enabled: flag,
        greeting_id: id.nullable(),
        greeting: z.string().trim().max(1000, 'At most 1000 characters.').nullable(),
        transcribe: flag,
        email: z.array(emailAddress).max(20, 'At most 20 addresses.'),
        sms_notify: flag,
      })
      .partial(),
    schedule_id: id.nullable(),
    greeting_id: id.nullable(),
    user_ids: z.array(id).max(500),
    eavAttributeValues: fieldValuesIn,
  })
  .partial();

export type NumberPatch = z.infer<typeof numberPatch>;
