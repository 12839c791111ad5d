import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { invitationStatuses, invitedRoles } from './rules.ts';

const named = z.object({ id, name: z.string() });

/** A18.3. `link` is only set where this server can't send mail, and only when it was just made. */
export const invitation = z.object({
  id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(invitedRoles),
  status: z.enum(invitationStatuses),
  is_org_administrator: z.boolean(),
  invited_by: z.object({ id, name: z.string() }),
  companies: z.array(named),
  numbers: z.array(z.object({ id, number: z.string() })),
  message: z.string().nullable(),
  sent_at: instant,
  resent_count: z.number(),
  expires_at: instant,
  accepted_at: instant.nullable(),
  revoked_because: z.enum(['inviter_lost_right']).nullable().meta({
    description:
      'Why it was withdrawn: its sender lost the right to invite with this role. Null: a person withdrew it',
  }),
  link: z.string().nullable().meta({
    description:
      'The address to hand over, shown once; null where this server emails it to the person',
  }),
});

/** What the person with the link sees. */
export const openInvitation = z.object({
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(invitedRoles),
  invited_by: z.string(),
  companies: z.array(z.string()),
  message: z.string().nullable(),
  expires_at: instant,
  account: z.enum(['new', 'existing']).meta({
    description: 'Whether the address has an account already; its owner signs in to join',
  }),
  signed_in_as: z.string().nullable().meta({
    description: 'The address of the current session; null: not signed in',
  }),
});
