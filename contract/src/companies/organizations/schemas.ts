import { z } from 'zod';
import { companyRoles } from '../../permissions.ts';
import { id, instant } from '../../schemas.ts';
import { bulkSkipReasons, type BulkSkipReason } from './rules.ts';

export const accountStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2)])
  .meta({ description: 'active 0, parked 1, deactivated 2' });

/** An organization (A18). */
export const organization = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  owner_id: id.nullable(),
  is_admin: z.boolean(),
  timezone: z.string(),
  accounts: z.array(
    z.object({ id, name: z.string(), status: accountStatus, role: z.string().optional() }),
  ),
  counts: z.object({ companies: z.number(), numbers: z.number(), users: z.number() }),
  created_at: instant,
});

/** A company of an organization with its figures; `calls` and `texts` of the last 30 days. */
export const organizationCompany = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  status: accountStatus,
  numbers: z.number(),
  users: z.number(),
  unread: z.number(),
  calls: z.number(),
  texts: z.number(),
});

export const statusEffects = z.object({
  numbers: z.number(),
  users: z.number().meta({ description: 'People who lose or regain access' }),
  campaigns: z.array(z.object({ id, title: z.string() })),
  ports: z.number().meta({ description: 'Ports that go on at the carrier' }),
  scheduled_texts: z.number(),
  plan: z.string().meta({ description: 'It stays as it is, and is billed on' }),
});

export const organizationUser = z.object({
  id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  accounts: z.array(z.object({ id, name: z.string(), role: z.enum(companyRoles) })),
  last_login_at: instant.nullable(),
});

export const bulkSkipReason = z.enum(
  Object.keys(bulkSkipReasons) as [BulkSkipReason, ...BulkSkipReason[]],
);
