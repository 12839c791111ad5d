import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, one } from '../../schemas.ts';
import { colorPattern } from './rules.ts';
import { customDomain, tenant, tenantConfig } from './schemas.ts';

const companyParams = z.object({ companyId: id });
const optionalText = (most: number) => z.string().trim().max(most).nullable().optional();
const link = z.url({
  protocol: /^https?$/,
  error: 'Enter a full address, such as https://example.com.',
});
const optionalLink = link.max(500).nullable().optional();
const color = z.string().regex(colorPattern, 'Enter a color like #0F766E.').nullable().optional();
const picture = z
  .string()
  .regex(/^\/api\/branding\/[\w-]+$/, 'Upload the picture first.')
  .nullable()
  .optional();
const label = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Use letters, digits and hyphens.');

const senderExample = {
  from_name: 'Harbor Group',
  from_email: 'hello@harbor-group.example',
  domain: 'harbor-group.example',
  state: 'pending' as const,
  records: [
    {
      type: 'TXT' as const,
      host: '_trunkline.harbor-group.example',
      value: 'trunkline-verification=c0ffee',
      found: null,
      ok: false,
    },
  ],
  last_checked_at: null,
  error: null,
};
const tenantExample = {
  id: 31,
  organization_id: 9,
  hostname: null,
  name: 'Harbor Group',
  legal_name: 'Harbor Group LLC',
  support_email: 'help@harbor-group.example',
  support_phone: '+12125550147',
  website: 'https://harbor-group.example',
  privacy_url: null,
  terms_url: null,
  logo: null,
  logo_dark: null,
  favicon: null,
  primary_color: '#0F766E',
  secondary_color: null,
  login_background: null,
  email_footer: 'Harbor Group, 1 Pier Road, New York, NY',
  hide_vendor_name: false,
  default_plan: null,
  email_sender: senderExample,
  contrast_warnings: [],
  simulated_dns: true,
  created_at: '2026-11-21T09:15:04.000Z',
};
const domainExample = {
  domain: 'harbor-group.example',
  api_host: 'api.harbor-group.example',
  app_host: 'app.harbor-group.example',
  status: 'pending_dns' as const,
  records: [
    {
      type: 'CNAME' as const,
      host: 'app.harbor-group.example',
      value: 'phones.example.com',
      found: null,
      ok: false,
    },
  ],
  has_auth_token: false,
  error: null,
  last_checked_at: null,
  certificate_expires_at: null,
};

export const getTenant = operation({
  summary: 'Get the name, look and mail sender of the company’s organization',
  params: companyParams,
  answer: one(tenant),
  errors: ['tenant.no_organization'],
  example: { params: { companyId: 1 }, answer: { data: tenantExample } },
});

export const updateTenantInformation = operation({
  summary:
    'Change the organization’s name, contact, links and look; fields left out stay, null clears one. `hostname` follows the custom domain',
  params: companyParams,
  body: z.object({
    name: z.string().trim().min(1, 'Enter a name.').max(200).optional(),
    legal_name: optionalText(200),
    support_email: emailAddress.nullable().optional(),
    support_phone: z
      .string()
      .trim()
      .max(40)
      .regex(/^(\+?[\d(][\d ().x-]{4,})?$/, 'Enter a phone number.')
      .nullable()
      .optional(),
    website: optionalLink,
    privacy_url: optionalLink,
    terms_url: optionalLink,
    logo: picture,
    logo_dark: picture,
    favicon: picture,
    primary_color: color,
    secondary_color: color,
    login_background: picture,
    email_footer: optionalText(1000),
    hide_vendor_name: z.boolean().optional(),
  }),
  answer: one(tenant),
  errors: ['tenant.no_organization'],
  example: {
    params: { companyId: 1 },
    body: { name: 'Harbor Group' },
    answer: { data: tenantExample },
  },
});

export const startSenderVerification = operation({
  summary:
    'Set the address that mail comes from and check its domain’s DNS, every 15 minutes for 72 hours. Again: check now',
  params: companyParams,
  limit: 'codes',
  body: z.object({
    from_name: z
      .string()
      .trim()
      .min(1, 'Enter a name.')
      .max(100)
      // A line break would end the header that it stands in.
      .regex(/^[^\r\n\t]*$/, 'Use one line of text.'),
    from_email: emailAddress,
  }),
  answer: one(tenant),
  errors: ['tenant.no_organization', 'tenant.public_mailbox'],
  example: {
    params: { companyId: 1 },
    body: { from_name: 'Harbor Group', from_email: 'hello@harbor-group.example' },
    answer: { data: tenantExample },
  },
});

export const getTenantConfig = operation({
  summary: 'Get the public name and look of the tenant at a host; of the product, for other hosts',
  query: z.object({ hostname: z.string().max(253).optional() }),
  answer: one(tenantConfig),
  example: {
    query: { hostname: 'app.harbor-group.example' },
    answer: {
      data: {
        name: 'Harbor Group',
        logo: null,
        logo_dark: null,
        favicon: null,
        primary_color: '#0F766E',
        secondary_color: null,
        login_background: null,
        support_email: 'help@harbor-group.example',
        support_phone: null,
        website: null,
        privacy_url: null,
        terms_url: null,
        hide_vendor_name: false,
        features: [],
        api_base: '/api',
        realtime_key: 'trunkline',
      },
    },
  },
});

export const checkCustomDomain = operation({
  summary: 'Check a domain before using it: its public suffix, suggested hosts, and conflicts',
  params: companyParams,
  query: z.object({
    domainName: z.string().trim().min(1, 'Enter a domain.').max(253),
    businessUnitId: id.optional(),
  }),
  answer: one(
    z.object({
      valid: z.boolean(),
      registrable_domain: z.string().nullable(),
      suggestions: z.object({ api: z.string(), app: z.string() }).nullable(),
      conflicts: z.array(z.string()),
    }),
  ),
  errors: ['tenant.no_organization'],
  example: {
    params: { companyId: 1 },
    query: { domainName: 'harbor-group.example' },
    answer: {
      data: {
        valid: true,
        registrable_domain: 'harbor-group.example',
        suggestions: { api: 'api.harbor-group.example', app: 'app.harbor-group.example' },
        conflicts: [],
      },
    },
  },
});

export const getCustomDomain = operation({
  summary: 'Get the organization’s custom domain and its state; null when it has none',
  params: companyParams,
  answer: one(customDomain.nullable()),
  errors: ['tenant.no_organization'],
  example: { params: { companyId: 1 }, answer: { data: domainExample } },
});

export const setCustomDomain = operation({
  summary:
    'Use a domain: its DNS is checked, then its certificate. Again with the same hosts: check now. `authToken` is stored and never shown',
  params: companyParams,
  limit: 'codes',
  body: z
    .object({
      domain: z.string().trim().min(1, 'Enter a domain.').max(253),
      apiSubdomain: label,
      appSubdomain: label,
      authToken: z.string().max(500).optional(),
      businessUnitId: id.optional(),
    })
    .refine((body) => body.apiSubdomain !== body.appSubdomain, {
      path: ['apiSubdomain'],
      message: 'Enter a name other than the app’s.',
    }),
  answer: one(customDomain),
  errors: ['tenant.no_organization', 'domain.invalid', 'domain.taken'],
  example: {
    params: { companyId: 1 },
    body: { domain: 'harbor-group.example', apiSubdomain: 'api', appSubdomain: 'app' },
    answer: { data: domainExample },
  },
});

export const tlsAllowed = operation({
  summary: 'For the reverse proxy: 200 when a certificate may be ordered for this host, else 404',
  query: z.object({ domain: z.string().max(253) }),
  answer: one(z.object({ allowed: z.literal(true) })),
  example: {
    query: { domain: 'app.harbor-group.example' },
    answer: { data: { allowed: true } },
  },
});
