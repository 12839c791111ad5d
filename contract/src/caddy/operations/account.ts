import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, instant, listQuery, one, pageOf } from '../../schemas.ts';
import {
  inactivityStates,
  invitationLimits,
  invitationStates,
  reportCategories,
  stores,
  supportFileBytes,
} from '../rules.ts';
import { codeSent, identityOf, sixDigits, typedPhone } from '../schemas.ts';

const invitation = z.object({
  id,
  phoneNumber: z.string(),
  status: z.enum(invitationStates),
  sentAt: instant,
  joinedAt: instant.nullable(),
  reward: z
    .object({ minutes: z.number(), texts: z.number() })
    .nullable()
    .meta({ description: 'Added to every period from then on; null: none yet' }),
});
const exampleInvitation = {
  id: 3,
  phoneNumber: '+12125550143',
  status: 'sent',
  sentAt: '2026-11-26T09:15:04.000Z',
  joinedAt: null,
  reward: null,
};
export const listCaddyInvitations = operation({
  summary: 'The invitations that were sent, newest first',
  query: listQuery({}, { perPage: 1000, max: 1000 }),
  paged: true,
  answer: pageOf(invitation),
  example: { query: { page: 1, perPage: 1000 } },
});

export const inviteToCaddy = operation({
  summary: `Text an invitation from the person’s own number: at most ${invitationLimits.perDay} a day, and one to a phone in ${invitationLimits.againDays} days`,
  body: z.object({ phoneNumber: typedPhone }),
  answer: one(invitation),
  status: 201,
  errors: [
    'caddy.no_number',
    'caddy.invitations_used',
    'caddy.invited_lately',
    'caddy.invitee_opted_out',
    'contact.unsubscribed',
  ],
  example: { body: { phoneNumber: '+12125550143' }, answer: { data: exampleInvitation } },
});

const review = z.object({
  id,
  rating: z.number(),
  text: z.string().nullable(),
  store: z.enum(stores).nullable(),
  version: z.string(),
  createdAt: instant,
});
const exampleReview = {
  id: 4,
  rating: 5,
  text: 'Does what it says.',
  store: 'web',
  version: '1.0.0',
  createdAt: '2026-11-26T09:15:04.000Z',
};
export const listCaddyReviews = operation({
  summary: 'The person’s own reviews, newest first',
  answer: z.object({ data: z.array(review) }),
  example: { answer: { data: [exampleReview] } },
});

export const reviewCaddy = operation({
  summary: 'Rate this version of the app, once. `next` says what to offer then',
  body: z.object({
    rating: z.number().int().min(1).max(5),
    text: z.string().trim().max(4000).optional(),
    store: z.enum(stores).optional(),
    version: z.string().trim().min(1).max(40),
  }),
  answer: one(review.extend({ next: z.enum(['store', 'support']) })),
  status: 201,
  errors: ['caddy.reviewed'],
  example: {
    body: { rating: 5, text: 'Does what it says.', store: 'web', version: '1.0.0' },
    answer: { data: { ...exampleReview, next: 'store' } },
  },
});

export const getCaddyInactivity = operation({
  summary: 'When the numbers of an account without a plan are removed because no one uses it',
  answer: one(
    z.object({
      lastActivityAt: instant,
      warnAt: instant.nullable().meta({ description: 'Null: never, on a paid plan' }),
      removalAt: instant.nullable(),
      status: z.enum(inactivityStates),
      message: z.string().nullable(),
    }),
  ),
  example: {
    answer: {
      data: {
        lastActivityAt: '2026-11-26T09:15:04.000Z',
        warnAt: '2026-12-17T09:15:04.000Z',
        removalAt: '2027-01-16T09:15:04.000Z',
        status: 'active',
        message: null,
      },
    },
  },
});

export const deleteCaddyAccount = operation({
  summary:
    'Delete the account: with the code that is sent without one (202). Its numbers stop now, and all is erased after 30 days unless the person signs in again. A subscription of an app store is ended there',
  limit: 'login',
  body: z.object({
    reason: z.string().trim().max(1000).optional(),
    code: sixDigits.optional(),
    device: identityOf.device,
  }),
  answer: one(z.union([codeSent, z.object({ erasedAt: instant, message: z.string() })])),
  errors: ['caddy.code_wrong', 'caddy.code_over', 'caddy.no_texts', 'mail.not_set_up'],
  example: {
    body: {},
    answer: {
      data: {
        sent: true,
        channel: 'email',
        masked: 's•••@example.com',
        expires_in: 600,
        resend_in: 30,
      },
    },
  },
});

export const uploadCaddySupportFile = operation({
  summary: `Upload a file for a report: at most ${supportFileBytes / 1024 / 1024} MB`,
  body: z.object({}),
  answer: one(z.object({ id, url: z.string() })),
  status: 201,
  errors: ['caddy.file_missing', 'support.file_large'],
  example: { body: {}, answer: { data: { id: 9, url: '/files/9' } } },
});

export const reportCaddyCustomer = operation({
  summary: 'Report a problem to support, with files that were uploaded before',
  body: z.object({
    category: z.enum(reportCategories),
    message: z.string().trim().min(1, 'Say what happened.').max(10_000),
    fileIds: z.array(id).max(10).default([]),
    callId: id.optional(),
    appVersion: z.string().max(40),
    device: identityOf.device,
  }),
  answer: one(z.object({ reference: z.string() })),
  status: 201,
  example: {
    body: { category: 'calls', message: 'I heard an echo.', fileIds: [9], appVersion: '1.0.0' },
    answer: { data: { reference: 'S-4F7K-PQ2M' } },
  },
});
