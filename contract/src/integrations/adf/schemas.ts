import { z } from 'zod';
import { emailAddress } from '../../email-address.ts';
import { id, instant } from '../../schemas.ts';
import { deliveryRules, exampleRule, health } from '../schemas.ts';
import { adfLeadTypes, adfSubject } from './rules.ts';

const text = (most: number) => z.string().trim().max(most).default('');
const web = z.url({ protocol: /^https$/, error: 'Enter an address that begins with https.' });
const phone = z
  .string()
  .trim()
  .regex(/^(\+[1-9]\d{6,14})?$/, 'Enter a phone number like +12065550100.')
  .default('');
const email = z.union([z.literal(''), emailAddress]).default('');
const secret = z
  .string()
  .min(1, 'Enter it.')
  .max(500)
  .regex(/^[!-~]+$/, 'Use letters, digits and signs.');
const reserved =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|user-agent|keep-alive|proxy-.*)$/i;
const headerName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'Enter the header’s name.')
  .refine((name) => !reserved.test(name), 'This header can’t be set.');

/** How a receiver is told who sends. Its secrets are never in an answer. */
export const adfAuth = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('basic'),
    username: secret.refine((name) => !name.includes(':'), 'Leave out the colon.'),
    password: secret,
  }),
  z.object({ type: z.literal('bearer'), token: secret }),
  z.object({ type: z.literal('header'), name: headerName, value: secret }),
]);

const address = z.object({
  street: text(200),
  city: text(100),
  region: text(60),
  postal_code: text(20),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Enter two letters, such as US.')
    .default('US'),
});
const noAddress = { street: '', city: '', region: '', postal_code: '', country: 'US' };
const timeZone = z.string().max(60).refine(isZone, 'Enter a time zone such as America/New_York.');

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** What the document is made from; stored as it is. */
export const adfConfig = z.object({
  delivery: z.enum(['email', 'https']).default('email'),
  to: z.array(emailAddress).max(10).default([]),
  cc: z.array(emailAddress).max(10).default([]),
  subject_template: z
    .string()
    .trim()
    .min(1, 'Enter a subject.')
    .max(150)
    .refine((text) => !/\p{Cc}/u.test(text), 'Use one line of text.')
    .default(adfSubject),
  placement: z.enum(['body', 'attachment']).default('body').meta({
    description: 'Of the document in the email. Most CRMs read the body',
  }),
  url: web.max(500).nullable().default(null),
  dealer: z.object({
    id: text(60),
    name: z.string().trim().min(1, 'Enter the dealer’s name.').max(120),
    phone,
    email,
    address: address.default(noAddress),
  }),
  provider: z
    .object({
      name: text(120),
      service: text(60),
      url: z.union([z.literal(''), web]).default(''),
      email,
      phone,
    })
    .default({ name: '', service: '', url: '', email: '', phone: '' })
    .meta({ description: 'Whom the lead comes from. Without a name: this company' }),
  lead_types: z
    .object(
      Object.fromEntries(adfLeadTypes.map((type) => [type, z.boolean().default(true)])) as {
        [T in (typeof adfLeadTypes)[number]]: z.ZodDefault<z.ZodBoolean>;
      },
    )
    .default({ sales: true, service: true, parts: true, rental: true, other: true })
    .meta({ description: 'Which leads are sent, by the call’s department' }),
  include: z
    .object({
      recording_link: z.boolean().default(false),
      transcript: z.boolean().default(false),
      summary: z.boolean().default(true),
      source: z.boolean().default(true),
      custom_fields: z.array(z.string().trim().min(1).max(100)).max(30).default([]).meta({
        description: 'Names of custom fields',
      }),
    })
    .default({
      recording_link: false,
      transcript: false,
      summary: true,
      source: true,
      custom_fields: [],
    }),
  vehicle_from: z.enum(['custom_fields', 'none']).default('none').meta({
    description:
      '`custom_fields`: those named year, make, model, VIN, stock, trim, odometer or interest',
  }),
  timezone: timeZone.nullable().default(null).meta({ description: 'Null: the company’s' }),
});
export type AdfConfig = z.infer<typeof adfConfig>;

/** What is sent to add or replace an integration. */
export const adfBody = adfConfig
  .extend({
    name: z.string().trim().min(1, 'Enter a name.').max(100),
    status: z.enum(['active', 'inactive']).default('active'),
    rules: deliveryRules
      .min(1, 'Add a rule.')
      .default([exampleRule])
      .meta({ description: 'By default: first calls of a person in 30 days' }),
    auth: adfAuth.nullable().optional().meta({
      description: 'Left out: as it is. Null: none',
    }),
  })
  .refine((body) => body.delivery !== 'email' || body.to.length > 0, {
    path: ['to'],
    error: 'Enter an email address.',
  })
  .refine((body) => body.delivery !== 'https' || body.url !== null, {
    path: ['url'],
    error: 'Enter an address that begins with https.',
  });

/** The same fields as they are read: contact details are hidden from some people. */
const { dealer: setDealer, provider: setProvider } = adfConfig.shape;
const readable = { phone: z.string(), email: z.string() };

/** An integration as it is shown. */
export const adfIntegration = adfConfig.extend({
  to: z.array(z.string()),
  cc: z.array(z.string()),
  dealer: setDealer.extend(readable),
  provider: setProvider.unwrap().extend(readable),
  id,
  name: z.string(),
  status: z.enum(['active', 'inactive']),
  rules: deliveryRules,
  auth: z
    .object({ type: z.enum(['basic', 'bearer', 'header']), name: z.string().nullable() })
    .nullable()
    .meta({ description: '`name`: user name or header. Its secret is never shown' }),
  ...health.shape,
  created_by: id.nullable(),
  created_at: instant,
  updated_at: instant,
});
export type AdfIntegration = z.infer<typeof adfIntegration>;
