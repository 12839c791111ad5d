import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { bulkRoles } from './rules.ts';
import {
  accountStatus,
  bulkSkipReason,
  organization,
  organizationCompany,
  organizationUser,
  statusEffects,
} from './schemas.ts';

const params = z.object({ id });

const name = z.string().trim().min(1, 'Enter a name.').max(120, 'At most 120 characters.');
const slug = z
  .string()
  .trim()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and hyphens.')
  .max(60, 'At most 60 characters.');

const organizationExample = {
  id: 1,
  name: 'Harborline Group',
  slug: 'harborline-group',
  owner_id: 1,
  is_admin: true,
  timezone: 'America/New_York',
  accounts: [{ id: 1, name: 'Harbor Dental', status: 0, role: 'owner' }],
  counts: { companies: 1, numbers: 4, users: 5 },
  created_at: '2026-11-21T09:15:04.000Z',
};

const companyExample = {
  id: 1,
  name: 'Harbor Dental',
  slug: 'harbor-dental',
  status: 0,
  numbers: 4,
  users: 5,
  unread: 3,
  calls: 120,
  texts: 310,
};

const effectsExample = {
  numbers: 4,
  users: 5,
  campaigns: [{ id: 7, title: 'Spring checkups' }],
  ports: 0,
  scheduled_texts: 2,
  plan: 'unlimited_monthly',
};

const userExample = {
  id: 1,
  first_name: 'Olive',
  last_name: 'Owner',
  email: 'owner@demo.test',
  is_owner: true,
  is_admin: true,
  accounts: [{ id: 1, name: 'Harbor Dental', role: 'owner' }],
  last_login_at: null,
};

export const listOrganizations = operation({
  summary: 'List the organizations a person owns, administers or belongs to through a company',
  paged: true,
  query: listQuery({ search: z.string().max(100).optional() }, { perPage: 1000, max: 1000 }),
  answer: pageOf(organization),
  example: { answer: { data: [organizationExample] } },
});

export const createOrganization = operation({
  summary:
    'Create an organization, with companies the person owns. With companies it needs a recent confirmation',
  body: z.object({
    name,
    slug: slug.optional(),
    timezone: z.string().max(60).optional(),
    companyIds: z.array(id).max(100).optional(),
  }),
  answer: one(organization),
  status: 201,
  errors: [
    'organization.owner_decides',
    'organization.company_taken',
    'organization.slug_taken',
    'confirmation.required',
  ],
  example: { body: { name: 'Harborline Group' }, answer: { data: organizationExample } },
});

export const getOrganization = operation({
  summary: 'Get an organization',
  params,
  answer: one(organization),
  example: { params: { id: 1 }, answer: { data: organizationExample } },
});

export const updateOrganization = operation({
  summary: 'Update an organization',
  params,
  body: z.object({
    name: name.optional(),
    slug: slug.optional(),
    timezone: z.string().max(60).optional(),
  }),
  answer: one(organization),
  errors: ['organization.slug_taken'],
  example: {
    params: { id: 1 },
    body: { name: 'Harborline Group', timezone: 'America/New_York' },
    answer: { data: organizationExample },
  },
});

export const deleteOrganization = operation({
  summary: 'Delete an organization that has no companies',
  params,
  answer: empty,
  status: 204,
  errors: ['organization.not_empty'],
  example: { params: { id: 1 } },
});

export const listOrganizationCompanies = operation({
  summary: 'List the companies of an organization with their figures of the last 30 days',
  paged: true,
  params,
  query: listQuery(
    {
      search: z.string().max(100).optional(),
      status: z.coerce.number<number>().int().min(0).max(2).optional(),
      sort: sortBy('name', 'status', 'numbers', 'users', 'unread', 'calls', 'texts'),
    },
    { perPage: 25, max: 1000 },
  ),
  answer: pageOf(organizationCompany),
  example: { params: { id: 1 }, answer: { data: [companyExample] } },
});

export const attachOrganizationCompany = operation({
  summary: 'Add a company, which the person also owns, to an organization',
  params,
  body: z.object({ companyId: id }),
  answer: one(organizationCompany),
  status: 201,
  errors: ['organization.owner_decides', 'organization.company_taken'],
  example: { params: { id: 1 }, body: { companyId: 1 }, answer: { data: companyExample } },
});

export const leaveOrganization = operation({
  summary:
    'Take one’s own company out of its organization, also when the organization parked or deactivated it: it becomes active again',
  params: z.object({ companyId: id }),
  answer: one(z.object({ company_id: id, status: accountStatus })),
  errors: ['organization.none'],
  example: { params: { companyId: 1 }, answer: { data: { company_id: 1, status: 0 } } },
});

export const detachOrganizationCompany = operation({
  summary: 'Take an active company out of an organization. Roles given in the company itself stay',
  params: z.object({ id, companyId: id }),
  answer: empty,
  status: 204,
  errors: ['organization.company_not_active'],
  example: { params: { id: 1, companyId: 1 } },
});

export const updateAccountStatus = operation({
  summary: 'Park, deactivate or reactivate a company; `dry_run` only shows the effects',
  params,
  body: z.object({ companyId: id, status: accountStatus, dry_run: flag.optional() }),
  answer: one(
    z.object({
      company_id: id,
      status: accountStatus,
      is_applied: z.boolean(),
      effects: statusEffects,
    }),
  ),
  errors: ['organization.status_of_platform'],
  example: {
    params: { id: 1 },
    body: { companyId: 1, status: 1, dry_run: true },
    answer: { data: { company_id: 1, status: 1, is_applied: false, effects: effectsExample } },
  },
});

export const listOrganizationUsers = operation({
  summary: 'List the people in an organization’s companies, and its administrators',
  paged: true,
  params,
  query: listQuery(
    { search: z.string().max(100).optional(), is_admin: flag.optional() },
    { perPage: 25 },
  ),
  answer: pageOf(organizationUser),
  example: { params: { id: 1 }, answer: { data: [userExample] } },
});

export const addOrganizationAdmin = operation({
  summary: 'Make a person of one of its companies an administrator of the organization',
  params,
  body: z.object({ userId: id }),
  answer: one(organizationUser),
  status: 201,
  errors: ['organization.person_inactive'],
  example: { params: { id: 1 }, body: { userId: 1 }, answer: { data: userExample } },
});

const accountBrief = z.object({ id, name: z.string() });

export const removeOrganizationAdmin = operation({
  summary:
    'Remove an organization administrator. They leave its companies, except where they have a role of their own',
  params: z.object({ id, userId: id }),
  answer: one(
    z.object({
      detached: z.array(accountBrief),
      kept: z.array(accountBrief.extend({ role: z.string() })),
    }),
  ),
  errors: ['organization.owner_stays', 'organization.not_an_admin'],
  example: {
    params: { id: 1, userId: 1 },
    answer: {
      data: { detached: [{ id: 2, name: 'Cedar Legal' }], kept: [] },
    },
  },
});

const aiEav = one(z.object({ enabled: z.boolean() }));

export const getAiEavFeatureStatus = operation({
  summary: 'Get whether AI may fill custom fields in the organization’s companies',
  params,
  answer: aiEav,
  example: { params: { id: 1 }, answer: { data: { enabled: false } } },
});

export const updateAiEavFeatureStatus = operation({
  summary: 'Set whether AI may fill custom fields in the organization’s companies',
  params,
  body: z.object({ enabled: flag }),
  answer: aiEav,
  example: { params: { id: 1 }, body: { enabled: true }, answer: { data: { enabled: true } } },
});

export const updateUserAccounts = operation({
  summary: 'Give a person one role in several companies of an organization',
  params: z.object({ organizationId: id, userId: id }),
  body: z.object({
    role: z.enum(bulkRoles, 'Choose a role.'),
    accountIds: z.array(id).min(1, 'Choose at least one company.').max(1000),
    firstName: z.string().trim().min(1, 'Enter a first name.').max(80).optional(),
    lastName: z.string().trim().max(80).optional(),
    email: emailAddress.optional(),
  }),
  answer: z.object({
    updated: z.array(id),
    skipped: z.array(z.object({ accountId: id, reason: bulkSkipReason })),
  }),
  errors: ['organization.own_role'],
  example: {
    params: { organizationId: 1, userId: 1 },
    body: { role: 'user', accountIds: [1] },
    answer: { updated: [1], skipped: [] },
  },
});
