import { z } from 'zod';
import { fieldValuesIn } from '../fields/schemas.ts';
import { personBrief, tokens } from '../identity/schemas.ts';
import { operation } from '../operation.ts';
import { companyRoles } from '../permissions.ts';
import { companyIn, empty, flag, id, listQuery, one, pageOf } from '../schemas.ts';
import { companySettingBounds, companySettingDefaults, timeOfDay } from './rules.ts';
import { company, companySlim, currentUser, userRow } from './schemas.ts';

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
  is_admin: false,
  is_staff: false,
  mfa_enabled: false,
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

export const signup = operation({
  summary:
    'Sign up in two steps: without a code one is emailed (202); with it the person and their company are created (201)',
  limit: 'codes',
  opensSession: true,
  body: z.object({
    email: z.email('Enter an email address.').max(254),
    password: z.string().max(1000),
    code: z.string().trim().max(12).optional(),
    owner_key: z.string().max(200).optional(),
    first_name: z.string().trim().max(80).optional(),
    last_name: z.string().trim().max(80).optional(),
    company_name: z.string().trim().max(120).optional(),
    timezone: z.string().max(60).optional(),
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
  refusals: ['email.taken', 'signup.closed', 'signup.link_used', 'mail.not_set_up'],
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

const count = (of: keyof typeof companySettingBounds) => {
  const [least, most] = companySettingBounds[of];
  const why = `Enter a whole number from ${least} to ${most}.`;
  return z.number(why).int(why).min(least, why).max(most, why).nullable();
};

const turned = flag.nullable();

const time = z.string().regex(timeOfDay, 'Enter a time, such as 21:00.');

/** null takes a setting back to its default. */
const companySettingsIn = z
  .object({
    record_calls_default: turned,
    recording_announcement_default: z.enum(['none', 'default']).nullable(),
    transcription_default: turned,
    voicemail_transcription: turned,
    voicemail_email_attach: turned,
    recording_retention_days: count('recording_retention_days'),
    redact_card_numbers: turned,
    redact_ssn: turned,
    redact_dob: turned,
    quiet_hours: z
      .object({ start: time, end: time, mode: z.enum(['recipient', 'company']) })
      .nullable(),
    recently_texted_guard_hours: count('recently_texted_guard_hours'),
    max_campaign_size: count('max_campaign_size'),
    campaign_approval_required: turned,
    default_unsubscribe_text: z
      .string()
      .trim()
      .min(1, 'Enter text that tells people how to opt out.')
      .max(160, 'At most 160 characters.')
      .nullable(),
    users_can_configure_numbers: turned,
    users_can_purchase_numbers: turned,
    users_can_export: turned,
    users_can_bulk_contacts: turned,
    mask_contact_details_for_users: turned,
    reporting_can_edit_calls: turned,
    export_link_hours: count('export_link_hours'),
  })
  .partial();

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
  branding: { logo: null, primary_color: null, secondary_color: null, favicon: null },
  eav_attribute_values: [],
  ai_eav: { enabled: false, fields: [] },
  is_onboarding_required: false,
  onboarding_steps: [{ key: 'number', done: true }],
  act_as: 'owner',
  links_enabled: false,
  texting_requires_verification: null,
  settings: companySettingDefaults,
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
  refusals: ['not_found'],
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
    email: z.email('Enter an email address.').nullable().or(z.literal('')),
    website: z.string().max(300).nullable(),
    industry: z.string().max(60).nullable(),
    timezone: z.string().max(60),
    address: z.record(z.string().max(20), z.string().max(120)),
    links_enabled: flag,
    texting_requires_verification: flag
      .nullable()
      .meta({ description: 'null: as the carrier requires' }),
    settings: companySettingsIn,
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
  refusals: ['company.has_activity'],
  example: { params: { id: 1 } },
});

export const listCompanyUsers = operation({
  summary: 'List the people in a company',
  paged: true,
  params: z.object({ companyId: id }),
  query: listQuery(
    {
      search: z.string().max(100).optional(),
      role: z.enum(companyRoles).optional(),
      status: z.enum(['active', 'inactive']).optional(),
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

export const updateCompanyUser = operation({
  summary:
    'Update the custom field values a company keeps for a person. No one can change those of a person with a higher role',
  params: z.object({ companyId: id, userId: id }),
  body: z.object({ eavAttributeValues: fieldValuesIn }),
  answer: one(userRow),
  refusals: ['user.above_you'],
  example: {
    params: { companyId: 1, userId: 1 },
    body: { eavAttributeValues: [{ key: 'language', value: 'Spanish' }] },
    answer: { data: rowExample },
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
  refusals: ['role.forbidden'],
  body: z.object({ channel_name: z.string().max(120), socket_id: z.string().max(80).optional() }),
  answer: z.object({ auth: z.string(), channel: z.string() }),
  example: {
    body: { channel_name: 'private-conversations.1', socket_id: 'abc' },
    answer: { auth: 'ok', channel: 'private-conversations.1' },
  },
});
