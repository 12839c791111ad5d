import { z } from 'zod';
import { emailAddress } from '../../email-address.ts';
import { operation } from '../../operation.ts';
import { one } from '../../schemas.ts';
import { caddyLocales } from '../rules.ts';
import {
  codeSent,
  identityOf,
  notices,
  profile,
  quietHours,
  sixDigits,
  typedPhone,
} from '../schemas.ts';
import { exampleProfile } from './examples.ts';

export const getCaddyProfile = operation({
  summary: 'The signed-in person’s profile',
  answer: one(profile),
  example: { answer: { data: exampleProfile } },
});

export const updateCaddyProfile = operation({
  summary:
    'Change the profile; what is left out stays. A new email address or phone, also one that calls are forwarded to, needs the code that is sent to it: without one the answer is 202 and nothing changes',
  body: z.object({
    firstName: z.string().trim().max(100).optional(),
    lastName: z.string().trim().max(100).optional(),
    email: emailAddress.nullable().optional(),
    phone: typedPhone.nullable().optional(),
    code: sixDigits.optional(),
    device: identityOf.device,
    avatar: z.string().trim().max(16).nullable().optional(),
    timezone: z.string().max(60).optional(),
    locale: z.enum(caddyLocales).optional(),
    notifications: notices.partial().optional(),
    forwardTo: typedPhone.nullable().optional(),
    voicemailGreeting: z.string().trim().max(500).nullable().optional(),
    doNotDisturb: quietHours.nullable().optional(),
  }),
  answer: one(z.union([profile, codeSent])),
  errors: [
    'caddy.taken',
    'caddy.code_wrong',
    'caddy.code_over',
    'caddy.no_texts',
    'caddy.last_way',
    'mail.not_set_up',
  ],
  example: { body: { firstName: 'Sam' }, answer: { data: exampleProfile } },
});
