import { z } from 'zod';
import { dnsRecord } from '../../dns-record.ts';
import { id, instant } from '../../schemas.ts';
import { bulkRoles } from '../organizations/rules.ts';

/** The provider of an organization. Its secret is never shown. */
const ssoConnection = z.object({
  issuer: z.string(),
  client_id: z.string(),
  groups_claim: z
    .string()
    .meta({ description: 'The claim of its ID tokens that lists a person’s groups' }),
  updated_at: instant,
});

const ssoDomain = z.object({
  domain: z.string(),
  state: z.enum(['pending', 'proven', 'missing']).meta({
    description: '`missing`: it was proven, and its record is gone',
  }),
  record: dnsRecord,
  ends_at: instant.nullable().meta({
    description: 'When a domain whose record is missing stops being proven',
  }),
  checked_at: instant.nullable(),
});

/** What people who come through the provider get in one company. */
export const ssoAccessRule = z.object({
  group: z
    .string()
    .trim()
    .min(1, 'Enter the name of a group.')
    .max(300)
    .nullable()
    .meta({ description: 'As the provider names it. null: everyone who is new' }),
  company_id: id,
  role: z.enum(bulkRoles, 'Choose a role.'),
  number_ids: z.array(id).max(1000).default([]).meta({ description: 'Empty: all numbers' }),
});

/** What signing in through the provider alone takes, and whom it concerns. */
const ssoOnly = z.object({
  required_at: instant.nullable().meta({ description: 'Since when. null: people can choose' }),
  used_at: instant.nullable().meta({
    description: 'When someone last came in through this provider. null: not since it was entered',
  }),
  people: z.number().int().meta({ description: 'Those with an address at the proven domains' }),
  owners: z
    .array(
      z.object({
        name: z.string(),
        gets_in: z.enum(['address', 'factor', 'no']).meta({
          description:
            'While the provider is down: by an address elsewhere, by password and second factor, or not at all',
        }),
      }),
    )
    .meta({ description: 'Of the organization and of its companies' }),
  problem: z
    .enum(['not_set_up', 'no_domain', 'untried', 'not_in_it', 'no_door'])
    .nullable()
    .meta({ description: 'Why you can’t turn it on now. null: you can' }),
});

/** The organization's directory, which keeps its people up to date by SCIM 2.0. */
const scim = z.object({
  url: z.string().meta({ description: 'To enter at the directory' }),
  made_at: instant.nullable().meta({ description: 'When its token was made. null: it has none' }),
  last_used_at: instant.nullable(),
  users: z.number().int(),
  groups: z.number().int(),
});

export const sso = z.object({
  scim,
  connection: ssoConnection.nullable(),
  only: ssoOnly,
  domains: z.array(ssoDomain),
  access: z.array(ssoAccessRule),
  redirect_uri: z.string().meta({ description: 'To enter at the provider' }),
  simulated_dns: z
    .boolean()
    .meta({ description: 'Records are checked with simulated name servers' }),
});
