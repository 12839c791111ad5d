import { emailAddress } from '../../email-address.ts';
import { signedIn, signedInExample } from '../../identity/mfa/schemas.ts';
import { z } from 'zod';
import { personBrief, tokens } from '../../identity/schemas.ts';
import { operation } from '../../operation.ts';
import { companyIn, id, one } from '../../schemas.ts';
import { currentUser } from '../schemas.ts';

const userExample = {
  id: 1,
  email: 'owner@demo.test',
  name: 'Olive Owner',
  first_name: 'Olive',
  last_name: 'Owner',
  timezone: 'America/New_York',
  support_pins: [{ company_id: 1, pin: '482913' }],
  read_whats_new_at: null,
  hasBusinessUnits: false,
  sip_address: null,
  sip_password: null,
  sip_user: null,
  companies: [
    {
      id: 1,
      name: 'Harbor Dental',
      slug: 'harbor-dental',
      role: 'owner',
      status: 0,
      organization_id: null,
    },
  ],
  organizations: [],
  closed_companies: [],
  is_admin: false,
  is_staff: false,
  support_access: null,
  formats: { locale: 'en-US', date_format: 'MMM D, YYYY', time_format: 'h:mm A' },
  mfa_enabled: false,
  mfa_setup_required: false,
  closed_until_paid: false,
  sso_required: null,
  permissions: { 'inbox.view': 'all' },
  created_at: '2026-11-21T09:15:04.000Z',
};

export const getUser = operation({
  summary: 'Get the signed-in person, their companies, and their permissions in one of them',
  query: z.object({ ...companyIn }),
  answer: one(currentUser),
  example: { answer: { data: userExample } },
});

export const listRoles = operation({
  summary: 'List the roles a person can have',
  query: z.object({ ...companyIn }),
  answer: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        scope: z.enum(['company', 'organization']),
        assignable: z.boolean(),
        description: z.string(),
      }),
    ),
  }),
  example: {
    answer: {
      data: [
        {
          id: 'owner',
          label: 'Owner',
          scope: 'company',
          assignable: false,
          description: 'Everything, including billing and ownership.',
        },
      ],
    },
  },
});

export const checkSignup = operation({
  summary:
    'Get the sign-up status: whether it’s open, whether anyone has an account, and whether codes can be emailed',
  limit: 'login',
  answer: one(z.object({ open: z.boolean(), first: z.boolean(), mail: z.boolean() })),
  example: { answer: { data: { open: true, first: false, mail: true } } },
});

const account = {
  first_name: z.string().trim().max(80).optional(),
  last_name: z.string().trim().max(80).optional(),
  company_name: z.string().trim().max(120).optional(),
  timezone: z.string().max(60).optional(),
};

export const signUpExternally = operation({
  summary:
    'Sign up with the address that a provider has verified, in the browser that returned from it. The person has no password until they set one',
  limit: 'login',
  opensSession: true,
  body: z.object(account),
  answer: signedIn,
  status: 201,
  errors: ['sign_in.expired', 'email.taken'],
  example: { body: { company_name: 'Harbor Dental' }, answer: signedInExample },
});

export const signup = operation({
  summary:
    'Sign up in two steps: without a code one is emailed (202); with it the person and their company are created (201)',
  limit: 'codes',
  opensSession: true,
  body: z.object({
    email: emailAddress,
    password: z.string().max(1000),
    code: z.string().trim().max(12).optional(),
    owner_key: z.string().max(200).optional(),
    ...account,
  }),
  answer: z.union([
    z.object({
      data: z.object({
        sent: z.literal(true),
        masked: z.string(),
        expires_in: z.number(),
        resend_in: z.number(),
      }),
    }),
    z.object({ token: tokens, data: personBrief }),
  ]),
  status: 201,
  errors: ['email.taken', 'signup.closed', 'signup.link_used', 'mail.not_set_up'],
  example: {
    body: {
      email: 'new@example.com',
      password: 'a long enough sentence',
      code: '482913',
      company_name: 'Harbor Dental',
    },
    answer: { data: { sent: true, masked: 'n•••@example.com', expires_in: 600, resend_in: 30 } },
  },
});

export const demoPeople = operation({
  summary: 'List the demo people for one-click sign-in; empty outside demo mode',
  answer: z.object({
    data: z.array(
      z.object({
        email: z.string(),
        name: z.string(),
        role: z.string(),
        company_id: id.nullable().meta({ description: 'Get the next setup steps' }),
      }),
    ),
  }),
  example: {
    answer: {
      data: [{ email: 'owner@demo.test', name: 'Olive Owner', role: 'Owner', company_id: 1 }],
    },
  },
});

export const authorizeChannel = operation({
  summary: 'Authorize a private channel, in the format laravel-echo expects',
  errors: ['role.forbidden'],
  body: z.object({ channel_name: z.string().max(120), socket_id: z.string().max(80).optional() }),
  answer: z.object({ auth: z.string(), channel: z.string() }),
  example: {
    body: { channel_name: 'private-conversations.1', socket_id: 'abc' },
    answer: { auth: 'ok', channel: 'private-conversations.1' },
  },
});
