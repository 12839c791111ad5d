import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { fieldValuesIn } from '../../fields/schemas.ts';
import { operation } from '../../operation.ts';
import { companyRoles } from '../../permissions.ts';
import { empty, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { userRow } from '../schemas.ts';

export const listCompanyUsers = operation({
  summary: 'List the people in a company',
  paged: true,
  params: z.object({ companyId: id }),
  query: listQuery(
    {
      search: z.string().max(100).optional(),
      role: z.enum(companyRoles).optional(),
      status: z.enum(['active', 'inactive']).optional(),
      sort: sortBy('name', 'email', 'role', 'last_login_at'),
    },
    { perPage: 25 },
  ),
  answer: pageOf(userRow),
  example: {
    params: { companyId: 1 },
    answer: {
      data: [
        {
          id: 1,
          first_name: 'Olive',
          last_name: 'Owner',
          email: 'owner@demo.test',
          role: 'owner',
          status: 'active',
          numbers: [],
          mfa_enabled: false,
          last_login_at: null,
          in_app_calling: { enabled: true, status: 'active' },
          eavAttributeValues: [],
        },
      ],
    },
  },
});

const rowExample = {
  id: 1,
  first_name: 'Olive',
  last_name: 'Owner',
  email: 'owner@demo.test',
  role: 'owner' as const,
  status: 'active' as const,
  numbers: [],
  mfa_enabled: false,
  last_login_at: null,
  in_app_calling: { enabled: true, status: 'active' },
  eavAttributeValues: [],
};

export const getCompanyUser = operation({
  summary: 'Get one person in the company',
  params: z.object({ companyId: id, userId: id }),
  answer: one(userRow),
  example: { params: { companyId: 1, userId: 1 }, answer: { data: rowExample } },
});

const personName = z.string().trim().max(100).optional();

export const updateCompanyUser = operation({
  summary:
    'Update a person in the company: name, role, numbers (empty: all) and custom values. A new email address takes effect when the person confirms it. No one gives a role above their own, changes their own, or edits a person with a higher role',
  params: z.object({ companyId: id, userId: id }),
  body: z.object({
    first_name: personName,
    last_name: personName,
    email: emailAddress.optional(),
    role: z.enum(companyRoles).optional(),
    numbers: z.array(id).max(10_000).optional(),
    eavAttributeValues: fieldValuesIn.optional(),
  }),
  answer: one(userRow),
  errors: [
    'user.above_you',
    'user.own_role',
    'user.role_above',
    'user.details_own',
    'owner.required',
    'ownership.only_transferred',
  ],
  example: {
    params: { companyId: 1, userId: 1 },
    body: {
      first_name: 'Uma',
      last_name: 'User',
      role: 'user',
      numbers: [3],
      eavAttributeValues: [{ key: 'language', value: 'Spanish' }],
    },
    answer: { data: rowExample },
  },
});

export const resetUserFactors = operation({
  summary:
    'Help a person who lost their second factor: remove their factors and passkeys, sign them out everywhere and email them. Needs a recent confirmation',
  params: z.object({ companyId: id, userId: id }),
  answer: empty,
  status: 204,
  errors: ['user.above_you', 'mfa.other_company', 'confirmation.required'],
  example: { params: { companyId: 1, userId: 1 } },
});

export const endUserSessions = operation({
  summary:
    'Sign a person of the company out of all their browsers and devices, except the session that asks. Sessions are the person’s: those who also belong to companies that the caller doesn’t administer are emailed, and signed out once an hour at most',
  params: z.object({ companyId: id, userId: id }),
  answer: one(z.object({ ended: z.number().meta({ description: 'Sessions that ended' }) })),
  errors: ['user.above_you', 'sessions.ended_lately', 'confirmation.required'],
  example: { params: { companyId: 1, userId: 1 }, answer: { data: { ended: 2 } } },
});

export const endCompanySessions = operation({
  summary:
    'Sign out everyone in the company whose role isn’t above the caller’s, except the session that asks',
  params: z.object({ companyId: id }),
  answer: one(
    z.object({
      people: z.number().meta({ description: 'Who had a session' }),
      ended: z.number().meta({ description: 'Sessions that ended' }),
      skipped: z.number().meta({
        description: 'People of other companies, too, who were signed out less than an hour ago',
      }),
    }),
  ),
  errors: ['confirmation.required'],
  example: { params: { companyId: 1 }, answer: { data: { people: 12, ended: 31, skipped: 0 } } },
});
