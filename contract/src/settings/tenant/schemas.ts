import { z } from 'zod';
import { dnsRecord } from '../../dns-record.ts';
import { id, instant } from '../../schemas.ts';

const senderStates = ['not_started', 'pending', 'verified', 'failed', 'expired'] as const;

/** The address that an organization's mail comes from (A21). */
const emailSender = z.object({
  from_name: z.string().nullable(),
  from_email: z.string().nullable(),
  domain: z.string().nullable(),
  state: z.enum(senderStates),
  records: z.array(dnsRecord),
  last_checked_at: instant.nullable(),
  error: z.string().nullable(),
});

const text = z.string().nullable();
/** A21. `id` null: nothing was set yet, and everything is the product's own. */
export const tenant = z.object({
  id: id.nullable(),
  organization_id: id,
  hostname: text.meta({ description: 'Of the custom domain, once it is active' }),
  name: z.string(),
  legal_name: text,
  support_email: text,
  support_phone: text,
  website: text,
  privacy_url: text,
  terms_url: text,
  logo: text,
  logo_dark: text,
  favicon: text,
  primary_color: text,
  secondary_color: text,
  login_background: text,
  email_footer: text,
  hide_vendor_name: z.boolean(),
  default_plan: text,
  email_sender: emailSender,
  /** What the colors mean for people who read: empty when all is well. */
  contrast_warnings: z.array(z.string()),
  simulated_dns: z
    .boolean()
    .meta({ description: 'Records are checked with simulated name servers' }),
  created_at: instant.nullable(),
});

const customDomainStates = ['pending_dns', 'issuing_certificate', 'active', 'failed'] as const;

export const customDomain = z.object({
  domain: z.string(),
  api_host: z.string(),
  app_host: z.string(),
  status: z.enum(customDomainStates),
  records: z.array(dnsRecord),
  has_auth_token: z.boolean(),
  error: z.string().nullable(),
  last_checked_at: instant.nullable(),
  certificate_expires_at: instant.nullable(),
});

/** What a browser may know of the tenant before sign-in (A21). */
export const tenantConfig = z.object({
  name: z.string(),
  logo: text,
  logo_dark: text,
  favicon: text,
  primary_color: text,
  secondary_color: text,
  login_background: text,
  support_email: text,
  support_phone: text,
  website: text,
  privacy_url: text,
  terms_url: text,
  hide_vendor_name: z.boolean(),
  features: z.array(z.string()),
  api_base: z.string(),
  realtime_key: z.string(),
});
