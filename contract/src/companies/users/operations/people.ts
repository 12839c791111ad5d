import { emailAddress } from '../../../email-address.ts';
import { z } from 'zod';
import { personBrief, tokens } from '../../../identity/schemas.ts';
import { operation } from '../../../operation.ts';
import { empty, id, instant, one } from '../../../schemas.ts';
import { userRow } from '../../schemas.ts';

const rowExample = {
  id: 5,
  first_name: 'Uma',
  last_name: 'User',
  email: 'user@demo.test',
  role: 'user' as const,
  status: 'active' as const,
  numbers: [],
  mfa_enabled: false,
  last_login_at: null,
  in_app_calling: { enabled: true, status: 'active' },
  eavAttributeValues: [],
};

export const deleteCompanyUser = operation({
  summary:
    'Remove a person from the company. Their calls, texts and notes stay under their name; the owner can’t be removed',
  params: z.object({ companyId: id, userId: id }),
  answer: empty,
  status: 204,
  errors: ['user.above_you', 'user.own_role', 'owner.required'],
  example: { params: { companyId: 1, userId: 5 } },
});

const activation = z.object({
  businessUnitId: id.nullable().optional().meta({ description: 'The company’s organization' }),
  companyId: id,
  userId: id,
});

export const activateUser = operation({
  summary: 'Activate a person again, with the role they had before',
  body: activation,
  answer: one(userRow),
  errors: ['user.above_you', 'user.own_role', 'user.role_above'],
  example: { body: { companyId: 1, userId: 5 }, answer: { data: rowExample } },
});

export const deactivateUser = operation({
  summary:
    'Deactivate a person: their access to the company ends at once, their history stays. The owner can’t be deactivated',
  body: activation,
  answer: one(userRow),
  errors: ['user.above_you', 'user.own_role', 'owner.required'],
  example: {
    body: { companyId: 1, userId: 5 },
    answer: { data: { ...rowExample, role: 'deactivated' as const, status: 'inactive' as const } },
  },
});

const profile = personBrief.extend({
  pending_email: z
    .string()
    .nullable()
    .meta({ description: 'The new address, until the code mailed to it is entered' }),
});
const personName = z.string().trim().max(100);
const profileExample = {
  id: 1,
  email: 'owner@demo.test',
  name: 'Olive Owner',
  first_name: 'Olive',
  last_name: 'Owner',
  timezone: 'America/New_York',
  pending_email: null,
};

export const updateProfile = operation({
  summary:
    'Update one’s own profile. A new email address needs the current password, and takes effect with the code mailed to it',
  limit: 'login',
  params: z.object({ userId: id }),
  body: z.object({
    first_name: personName.optional(),
    last_name: personName.optional(),
    timezone: z.string().max(100).nullable().optional(),
    email: emailAddress.optional(),
    current_password: z.string().max(1000).optional(),
    code: z.string().max(20).optional().meta({ description: 'The code mailed to the new address' }),
  }),
  answer: one(profile),
  errors: ['email.taken', 'login.locked', 'mail.not_set_up', 'sso.address_kept'],
  example: {
    params: { userId: 1 },
    body: { first_name: 'Olive', last_name: 'Owner', timezone: 'America/New_York' },
    answer: { data: profileExample },
  },
});

export const updatePassword = operation({
  summary:
    'Change one’s own password. All other sessions end; `new_token` replaces the access token. A person without a password sets one; that needs a recent confirmation instead',
  limit: 'login',
  params: z.object({ userId: id }),
  body: z.object({
    current_password: z.string().max(1000).optional(),
    password: z.string().max(1000),
    password_confirmation: z.string().max(1000).optional(),
  }),
  answer: z.object({
    new_token: z.string(),
    data: z.object({ message: z.string(), token: tokens }),
  }),
  errors: ['login.locked', 'confirmation.required'],
  example: {
    params: { userId: 1 },
    body: { current_password: 'trunkline-demo', password: 'a long enough sentence' },
    answer: {
      new_token: 'tla_…',
      data: {
        message: 'Your password was successfully changed',
        token: {
          access_token: 'tla_…',
          expires_in: 3600,
          refresh_token: 'tlr_…',
          token_type: 'Bearer' as const,
        },
      },
    },
  },
});

const transferPerson = z.object({ id, name: z.string(), email: z.string() });
const transfer = z.object({
  from: transferPerson,
  to: transferPerson,
  created_at: instant,
  expires_at: instant,
  needs_owner: z.boolean().meta({
    description: 'Someone else started it, and the owner hasn’t agreed yet',
  }),
});
const transferExample = {
  from: { id: 1, name: 'Olive Owner', email: 'owner@demo.test' },
  to: { id: 2, name: 'Adam Admin', email: 'administrator@demo.test' },
  created_at: '2026-11-23T10:00:00.000Z',
  expires_at: '2026-11-30T10:00:00.000Z',
  needs_owner: false,
};
const ofCompany = z.object({ companyId: id });

export const getOwnershipTransfer = operation({
  summary: 'Get the transfer of ownership that waits for the new owner; null: none',
  params: ofCompany,
  answer: one(transfer.nullable()),
  example: { params: { companyId: 1 }, answer: { data: transferExample } },
});

export const startOwnershipTransfer = operation({
  summary:
    'Start to transfer ownership to an active administrator, who accepts within 7 days. Needs the caller’s password. One that an organization administrator starts waits for the owner first',
  limit: 'login',
  params: ofCompany,
  body: z.object({ user_id: id, password: z.string().max(1000) }),
  answer: one(transfer),
  status: 201,
  errors: ['transfer.pending', 'transfer.needs_administrator', 'login.locked'],
  example: {
    params: { companyId: 1 },
    body: { user_id: 2, password: 'trunkline-demo' },
    answer: { data: transferExample },
  },
});

export const confirmOwnershipTransfer = operation({
  summary: 'Agree, as the owner, to a transfer that an organization administrator started',
  params: ofCompany,
  answer: one(transfer),
  errors: ['transfer.gone', 'transfer.not_yours'],
  example: { params: { companyId: 1 }, answer: { data: transferExample } },
});

export const cancelOwnershipTransfer = operation({
  summary: 'Cancel the transfer of ownership: the owner or the new owner',
  params: ofCompany,
  answer: empty,
  status: 204,
  errors: ['transfer.gone', 'transfer.not_yours'],
  example: { params: { companyId: 1 } },
});

export const acceptOwnershipTransfer = operation({
  summary: 'Accept ownership: the caller becomes the owner, the old owner an administrator',
  params: ofCompany,
  answer: one(z.object({ role: z.literal('owner') })),
  errors: ['transfer.gone', 'transfer.not_yours', 'transfer.needs_owner'],
  example: { params: { companyId: 1 }, answer: { data: { role: 'owner' as const } } },
});
