import { z } from 'zod';
import { companySettings } from '../settings/schemas.ts';
import { fieldValue } from '../fields/schemas.ts';
import { personBrief } from '../identity/schemas.ts';
import { companyRoles } from '../permissions.ts';
import { id, instant } from '../schemas.ts';

const role = z.enum([...companyRoles, 'org-administrator', 'platform']);

export const companyStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2)])
  .meta({ description: 'active 0, parked 1, deactivated 2' });

/** GET /user (A3). `permissions`: granted keys and their scope in the company `companyId`. */
export const currentUser = personBrief.extend({
  pending_email: z.string().nullable().optional(),
  support_pins: z.array(z.object({ company_id: id, pin: z.string() })),
  read_whats_new_at: z.string().nullable(),
  hasBusinessUnits: z.boolean(),
  sip_address: z.string().nullable(),
  sip_password: z.string().nullable(),
  sip_user: z.string().nullable(),
  companies: z.array(
    z.object({
      id,
      name: z.string(),
      slug: z.string(),
      role,
      status: companyStatus,
      organization_id: id.nullable(),
    }),
  ),
  organizations: z.array(z.object({ id, name: z.string(), is_admin: z.boolean() })),
  closed_companies: z
    .array(z.object({ id, name: z.string(), organization: z.string() }))
    .meta({ description: 'Their own companies that an organization deactivated: they can leave' }),
  is_admin: z.boolean(),
  is_staff: z.boolean(),
  support_access: z
    .object({
      kind: z.enum(['admin', 'remote']),
      staff_name: z.string(),
      reason: z.string(),
      ends_at: instant,
      may_write: z.boolean(),
    })
    .nullable()
    .meta({
      description:
        'What platform staff are in: their own admin mode, or another person’s place. Null: neither',
    }),
  formats: z
    .object({ locale: z.string(), date_format: z.string(), time_format: z.string() })
    .meta({ description: 'How the selected company writes dates and times' }),
  mfa_enabled: z.boolean(),
  /** The selected company asks for a second factor that the person has not set up: they may do nothing else. */
  mfa_setup_required: z.boolean(),
  /** The selected company is suspended until it pays, and the person can't pay: they can do nothing. */
  closed_until_paid: z.boolean(),
  sso_required: z.object({ organization: z.string(), url: z.string() }).nullable().meta({
    description:
      'The selected company is open only through the single sign-on of its organization, and this session began otherwise. `url`: for the browser to open',
  }),
  permissions: z.record(z.string(), z.enum(['all', 'assigned', 'own'])),
  created_at: instant,
});

export const companySlim = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  status: companyStatus,
  role,
  organization_id: id.nullable(),
});

export const company = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  status: companyStatus,
  phone: z.string().nullable(),
  email: z.string().nullable(),
  website: z.string().nullable(),
  industry: z.string().nullable(),
  timezone: z.string(),
  address: z.record(z.string(), z.string()),
  organization_id: id.nullable(),
  plan: z.string(),
  branding: z.object({
    logo: z.string().nullable(),
    logo_dark: z
      .string()
      .nullable()
      .meta({ description: 'On dark backgrounds; null: `logo` there as well' }),
    primary_color: z.string().nullable(),
    secondary_color: z.string().nullable(),
    favicon: z.string().nullable(),
  }),
  eav_attribute_values: z.array(fieldValue),
  ai_eav: z.object({
    enabled: z.boolean(),
    fields: z
      .array(z.object({ id, key: z.string(), name: z.string() }))
      .meta({ description: 'Fields of calls that AI fills' }),
  }),
  is_onboarding_required: z.boolean(),
  onboarding_steps: z.array(z.object({ key: z.string(), done: z.boolean() })),
  act_as: role,
  links_enabled: z.boolean(),
  texting_requires_verification: z.boolean().nullable().meta({
    description:
      'Only numbers with an approved SMS verification can text; null: as the carrier requires',
  }),
  settings: companySettings,
  platform_access: z
    .array(
      z.object({
        name: z.string(),
        reason: z.string(),
        since: instant,
        until: instant,
        may_write: z.boolean(),
      }),
    )
    .meta({ description: 'Platform staff who are in this company now, for its administrators' }),
  counts: z.object({
    numbers: z.number(),
    users: z.number(),
    contacts: z.number(),
    unread: z.number(),
  }),
  created_at: instant,
});

export const userRow = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  pending_email: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'A new address that the person hasn’t confirmed' }),
  role,
  acts_as: z.array(role).optional().meta({
    description:
      'All roles that they act in at once: their own and that of the company’s organization. What they may do is the union',
  }),
  status: z.enum(['active', 'inactive', 'invited']),
  numbers: z.array(z.object({ id, number: z.string() })),
  all_numbers: z.boolean().optional().meta({
    description: 'Not limited to certain numbers. `numbers` has those that the reader may see',
  }),
  teams: z
    .array(z.object({ id, name: z.string() }))
    .optional()
    .meta({ description: 'Teams that they are in, by name' }),
  mfa_enabled: z.boolean(),
  last_login_at: instant.nullable(),
  in_app_calling: z.object({ enabled: z.boolean(), status: z.string() }),
  eavAttributeValues: z.array(fieldValue),
});
