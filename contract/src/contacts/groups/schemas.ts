import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { systemGroups } from '../rules.ts';
import { contactRule } from '../schemas.ts';

/**
 * Contact group (A §3). A virtual group's rule is evaluated at each use; `system` groups are built
 * in.
 */
export const group = z.object({
  id,
  name: z.string(),
  companyId: id,
  createdAt: instant,
  updatedAt: instant,
  deletedAt: instant.nullable(),
  contactCount: z.number(),
  activeCount: z.number().meta({ description: 'contactCount − invalidCount − unsubscriberCount' }),
  invalidCount: z.number(),
  unsubscriberCount: z.number().meta({ description: 'Unsubscribed, and not invalid' }),
  virtual: z.boolean(),
  rule: contactRule.nullable(),
  system: z.enum(systemGroups).nullable(),
  userId: id.nullable(),
  link: z.string(),
  contactsLink: z.string(),
});

export type Group = z.infer<typeof group>;

/** A §3 Contact label. */
export const contactLabel = z.object({
  id,
  label: z.string(),
  contactCount: z.number(),
  createdAt: instant,
});

export type ContactLabel = z.infer<typeof contactLabel>;
