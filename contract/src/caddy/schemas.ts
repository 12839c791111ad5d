import { z } from 'zod';
import { subscriptionStates } from '../billing/states.ts';
import { emailAddress } from '../email-address.ts';
import { id, instant } from '../schemas.ts';
import { caddyLocales, caddyNotices, caddyProviders, codeChannels } from './rules.ts';

/** As typed; the server understands the usual ways of writing one. */
export const typedPhone = z.string().min(1).max(40);
export const sixDigits = z
  .string()
  .transform((typed) => typed.replace(/\D/g, ''))
  .pipe(z.string().length(6, 'Enter the six digits of the code.'));

/** The app that asks, for limits and the list of devices. */
const device = z.object({
  id: z.string().min(1).max(200).optional(),
  name: z.string().max(100).optional(),
  platform: z.string().max(40).optional(),
  appVersion: z.string().max(40).optional(),
});

/** Who asks: by email address, phone, or an identity that a provider vouches for. */
export const identityOf = {
  provider: z.enum(caddyProviders),
  email: emailAddress.optional(),
  phone: typedPhone.optional(),
  id_token: z.string().max(8000).optional().meta({
    description:
      'Of the provider, with a nonce that POST /caddy/auth/providers/{provider} gave. It works once',
  }),
  code: sixDigits.optional(),
  device: device.optional(),
};

export const codeSent = z.object({
  sent: z.literal(true),
  channel: z.enum(codeChannels),
  masked: z.string().meta({ description: 'Where it went, such as `s•••@example.com`' }),
  expires_in: z.number().meta({ description: 'Seconds' }),
  resend_in: z.number().meta({ description: 'Seconds' }),
});

const notice = z.boolean();
export const notices = z.object({
  texts: notice,
  calls: notice,
  voicemails: notice,
  account: notice,
} satisfies Record<(typeof caddyNotices)[number], typeof notice>);

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:MM.');

/** When calls go to voicemail at once, by the account's time zone. */
export const quietHours = z
  .object({ from: clock, to: clock })
  .meta({ description: 'Both the same: all day' });

export const profile = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  emailVerified: z.boolean(),
  phoneVerified: z.boolean(),
  hasPassword: z.boolean(),
  avatar: z.string().nullable().meta({ description: 'One emoji; null: their initials' }),
  timezone: z.string(),
  locale: z.enum(caddyLocales).meta({ description: 'How dates and times are written' }),
  notifications: notices,
  forwardTo: z.string().nullable().meta({ description: 'The phone that calls go to, too' }),
  voicemailGreeting: z.string().nullable().meta({ description: 'Read aloud; null: ours' }),
  doNotDisturb: quietHours
    .nullable()
    .meta({ description: 'When calls go to voicemail at once; null: never' }),
  plan: z.string().meta({ description: '`free`, or a plan of the catalogue' }),
  createdAt: instant,
});

export const signedInAccount = z.object({
  accountId: id,
  token: z.string().meta({ description: 'For 60 minutes' }),
  refreshToken: z.string().meta({
    description: 'For POST /sanctum/createTokenSession, once within 30 days',
  }),
  plan: z.string(),
  subscriptionStatus: z.enum(subscriptionStates),
  profile,
});

const used = z.object({
  used: z.number(),
  included: z.number().nullable().meta({ description: 'Null: as many as one likes' }),
});

export const usage = z.object({
  plan: z.string(),
  subscriptionStatus: z.enum(subscriptionStates),
  renewsAt: instant.nullable(),
  period: z.object({ start: instant, end: instant }),
  minutes: used,
  texts: used,
  numbers: used,
});
