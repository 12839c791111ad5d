import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { fieldValuesIn } from '../../fields/schemas.ts';
import { personBrief, tokens } from '../../identity/schemas.ts';
import { operation } from '../../operation.ts';
import { empty, flag, id, listQuery, one, pageOf } from '../../schemas.ts';
import {
  INVITATION_MESSAGE_LENGTH,
  invitationStatuses,
  invitedRoles,
  mostInvitedAtOnce,
} from './rules.ts';
import { invitation, openInvitation } from './schemas.ts';

const example = {
  id: 41,
  email: 'nina@example.com',
  first_name: 'Nina',
  last_name: 'North',
  role: 'user' as const,
  status: 'pending' as const,
  is_org_administrator: false,
  invited_by: { id: 1, name: 'Olive Owner' },
  companies: [{ id: 1, name: 'Harbor Dental' }],
  numbers: [],
  message: 'Welcome to the front desk.',
  sent_at: '2026-11-21T09:15:04.000Z',
  resent_count: 0,
  expires_at: '2026-11-28T09:15:04.000Z',
  accepted_at: null,
  revoked_because: null,
  link: null,
};
const name = z.string().trim().max(80);
const token = z.string().min(10).max(200);

export const listInvitations = operation({
  summary: 'List invitations, newest first, of the companies whose people the caller may edit',
  paged: true,
  query: listQuery(
    {
      company_ids: z
        .array(id)
        .max(1000)
        .optional()
        .meta({ description: 'Only of these companies' }),
      business_unit_id: id
        .optional()
        .meta({ description: 'Only of the companies of this organization' }),
      is_bu_member: flag.optional().meta({
        description: 'true: only those sent for an organization; false: only those of one company',
      }),
      status: z.enum(invitationStatuses).optional(),
      search: z.string().max(100).optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(invitation),
  example: { answer: { data: [example] } },
});

export const invitePerson = operation({
  summary:
    'Invite a person by email. 201 for a new invitation; a pending one to the same address is returned as it is (200)',
  params: z.object({ companyId: id }),
  body: z.object({
    email: emailAddress,
    first_name: name.optional(),
    last_name: name.optional(),
    role: z.enum(invitedRoles, 'Choose a role from the list.'),
    numbers: z.array(id).max(500).optional().meta({ description: 'Empty: every number' }),
    eavAttributeValues: fieldValuesIn.optional(),
    message: z
      .string()
      .trim()
      .max(INVITATION_MESSAGE_LENGTH, `Use at most ${INVITATION_MESSAGE_LENGTH} characters.`)
      .optional(),
    businessUnitId: id.optional().meta({ description: 'The organization that invites' }),
    businessUnitCompanyIds: z.array(id).max(1000).optional().meta({
      description: 'Further companies of the organization to join',
    }),
    is_org_administrator: flag.optional(),
  }),
  answer: one(invitation),
  errors: [
    'invitation.company_closed',
    'invitation.already_member',
    'invitation.deactivated',
    'invitation.role_above_yours',
    'role.forbidden',
  ],
  example: {
    params: { companyId: 1 },
    body: { email: 'nina@example.com', first_name: 'Nina', role: 'user' },
    answer: { data: example },
  },
});

const text = (most: number) => z.string().trim().max(most).default('');
const bulkResult = z.object({
  email: z.string(),
  role: z.enum(invitedRoles).nullable(),
  numbers: z.array(z.object({ id, number: z.string() })),
  outcome: z.enum(['ready', 'invited', 'pending', 'refused']).meta({
    description:
      'ready: would be invited (a check); pending: has an open invitation already, which stays',
  }),
  reason: z.string().nullable().meta({ description: 'Why it was refused; null: it wasn’t' }),
  link: z.string().nullable(),
});

export const inviteMany = operation({
  summary:
    'Invite several people, such as the rows of a file, each with a role and numbers. With `check`, nothing is sent: the response says what would happen to each row',
  params: z.object({ companyId: id }),
  body: z.object({
    rows: z
      .array(
        z.object({
          email: text(320),
          first_name: text(80),
          last_name: text(80),
          role: text(40).meta({ description: 'In words or as an ID; empty: user' }),
          phone_numbers: text(5000).meta({
            description:
              'Numbers of the company, separated by ; or a new line. Empty: every number',
          }),
        }),
      )
      .min(1, 'The file has no rows.')
      .max(mostInvitedAtOnce, `Invite at most ${mostInvitedAtOnce} people at once.`),
    message: z
      .string()
      .trim()
      .max(INVITATION_MESSAGE_LENGTH, `Use at most ${INVITATION_MESSAGE_LENGTH} characters.`)
      .optional(),
    check: flag.optional(),
  }),
  answer: z.object({ data: z.array(bulkResult).meta({ description: 'In the order of the rows' }) }),
  example: {
    params: { companyId: 1 },
    body: { rows: [{ email: 'nina@example.com', role: 'User' }], check: true },
    answer: {
      data: [
        {
          email: 'nina@example.com',
          role: 'user',
          numbers: [],
          outcome: 'ready',
          reason: null,
          link: null,
        },
      ],
    },
  },
});

export const revokeInvitation = operation({
  summary: 'Withdraw an invitation; its link stops working',
  params: z.object({ companyId: id, invitationId: id }),
  answer: empty,
  status: 204,
  errors: ['invitation.accepted'],
  example: { params: { companyId: 1, invitationId: 41 } },
});

export const resendInvitation = operation({
  summary:
    'Send an invitation again with a new link for 7 days; the old link stops working. This GET changes state, so a cookie session must send its XSRF header',
  params: z.object({ companyId: id, invitationId: id }),
  answer: one(invitation),
  errors: ['invitation.accepted', 'invitation.revoked', 'invitation.resent_too_often'],
  example: { params: { companyId: 1, invitationId: 41 }, answer: { data: example } },
});

export const openInvitationLink = operation({
  summary: 'Get what the link of an invitation invites to',
  limit: 'login',
  params: z.object({ token }),
  answer: one(openInvitation),
  errors: ['invitation.expired', 'invitation.revoked', 'invitation.accepted'],
  example: {
    params: { token: 'tli_token-from-the-mail' },
    answer: {
      data: {
        email: 'nina@example.com',
        first_name: 'Nina',
        last_name: 'North',
        role: 'user',
        invited_by: 'Olive Owner',
        companies: ['Harbor Dental'],
        message: 'Welcome to the front desk.',
        expires_at: '2026-11-28T09:15:04.000Z',
        account: 'new',
        signed_in_as: null,
      },
    },
  },
});

export const acceptInvitation = operation({
  summary:
    'Join by an invitation’s link: a new person sends a name and a password and is signed in; a person with an account signs in first',
  limit: 'login',
  opensSession: true,
  params: z.object({ token }),
  body: z.object({
    first_name: name.optional(),
    last_name: name.optional(),
    password: z.string().max(1000).optional(),
    timezone: z.string().max(60).optional(),
  }),
  answer: z.object({
    token: tokens.nullable().meta({ description: 'Null: the current session continues' }),
    data: z.object({ ...personBrief.shape, company_id: id }),
  }),
  errors: [
    'invitation.expired',
    'invitation.revoked',
    'invitation.accepted',
    'invitation.sign_in',
    'invitation.other_person',
  ],
  example: {
    params: { token: 'tli_token-from-the-mail' },
    body: { first_name: 'Nina', last_name: 'North', password: 'a long enough sentence' },
    answer: {
      token: null,
      data: {
        id: 9,
        email: 'nina@example.com',
        name: 'Nina North',
        first_name: 'Nina',
        last_name: 'North',
        timezone: null,
        company_id: 1,
      },
    },
  },
});
