import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { fieldValuesIn } from '../../fields/schemas.ts';
import { operation } from '../../operation.ts';
import { empty, flag, id, listQuery, one, pageOf } from '../../schemas.ts';
import { companySettingDefaults } from '../../settings/rules.ts';
import { company, companySlim } from '../schemas.ts';

const companyExample = {
  id: 1,
  name: 'Harbor Dental',
  slug: 'harbor-dental',
  status: 0,
  phone: null,
  email: 'front@harbor.test',
  website: null,
  industry: 'healthcare',
  timezone: 'America/New_York',
  address: {},
  organization_id: null,
  plan: 'unlimited_monthly',
  branding: {
    logo: null,
    logo_dark: null,
    primary_color: null,
    secondary_color: null,
    favicon: null,
  },
  eav_attribute_values: [],
  ai_eav: { enabled: true, fields: [{ id: 7, key: 'reason', name: 'Reason for calling' }] },
  is_onboarding_required: false,
  onboarding_steps: [{ key: 'number', done: true }],
  act_as: 'owner',
  links_enabled: false,
  texting_requires_verification: null,
  settings: companySettingDefaults,
  platform_access: [],
  counts: { numbers: 4, users: 5, contacts: 400, unread: 3 },
  created_at: '2026-11-21T09:15:04.000Z',
};

export const listCompaniesSlim = operation({
  summary: 'List the person’s companies',
  paged: true,
  query: listQuery(
    { excludeDeactivated: flag.optional(), search: z.string().max(100).optional() },
    { perPage: 100, max: 1000 },
  ),
  answer: pageOf(companySlim),
  example: {
    query: { perPage: 100, excludeDeactivated: true },
    answer: {
      data: [
        {
          id: 1,
          name: 'Harbor Dental',
          slug: 'harbor-dental',
          status: 0,
          role: 'owner',
          organization_id: null,
        },
      ],
    },
  },
});

export const lookupCompany = operation({
  summary: 'Get a company’s public profile by slug or ID',
  errors: ['not_found'],
  query: z.object({ slug: z.string().max(80).optional(), id: id.optional() }),
  answer: one(z.object({ id, name: z.string(), slug: z.string(), logo: z.string().nullable() })),
  example: {
    query: { slug: 'harbor-dental' },
    answer: { data: { id: 1, name: 'Harbor Dental', slug: 'harbor-dental', logo: null } },
  },
});

export const getCompany = operation({
  summary: 'Get one company',
  params: z.object({ id }),
  answer: one(company),
  example: { params: { id: 1 }, answer: { data: companyExample } },
});

const companyPatch = z
  .object({
    name: z.string().trim().min(1, 'Enter a name.').max(120),
    phone: z.string().max(30).nullable(),
    email: emailAddress.nullable().or(z.literal('')),
    website: z.string().max(300).nullable(),
    industry: z.string().max(60).nullable(),
    timezone: z.string().max(60),
    address: z.record(z.string().max(20), z.string().max(120)),
    links_enabled: flag,
    eav_attribute_values: fieldValuesIn,
  })
  .partial();

export const updateCompany = operation({
  summary: 'Update a company',
  params: z.object({ id }),
  body: companyPatch,
  answer: one(company),
  etagOf: 'getCompany',
  example: { params: { id: 1 }, body: { name: 'Harbor Dental' }, answer: { data: companyExample } },
});

export const createCompany = operation({
  summary: 'Create a company; its creator becomes the owner (act_as owner)',
  status: 201,
  body: z.object({
    company_info: companyPatch.extend({
      name: z.string().trim().min(1, 'Enter a name.').max(120),
      organization_id: id.optional(),
    }),
    billing_info: z.record(z.string(), z.unknown()).optional(),
    eav_attributes: fieldValuesIn.optional(),
  }),
  answer: one(company),
  example: {
    body: { company_info: { name: 'Harbor Dental North', timezone: 'America/New_York' } },
    answer: { data: companyExample },
  },
});

export const deleteCompany = operation({
  summary: 'Delete a company that has no numbers and no activity',
  params: z.object({ id }),
  answer: empty,
  status: 204,
  errors: ['company.has_activity'],
  example: { params: { id: 1 } },
});
