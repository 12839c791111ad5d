import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { auditGroups, type AuditGroup } from './actions.ts';

const groupNames = Object.keys(auditGroups) as [AuditGroup, ...AuditGroup[]];

/** What a list or an export of the audit log is filtered by. */
export const auditFilters = {
  userId: id.optional().meta({ description: 'Who acted' }),
  group: z.enum(groupNames, `Choose one of ${groupNames.join(', ')}.`).optional(),
  action: z.string().max(60).optional().meta({ description: 'One action, such as `user.updated`' }),
  subject: z
    .string()
    .max(80)
    .optional()
    .meta({ description: 'What was changed: `number:412`, `user:9`' }),
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'Since then, inclusive' }),
  to: z.iso.datetime({ offset: true }).optional().meta({ description: 'Before then, exclusive' }),
  search: z.string().trim().max(100).optional().meta({
    description: 'Part of what was done, of its subject, or of the values before and after',
  }),
};

/** One change: who, what, when and from where. */
export const auditEntry = z.object({
  id,
  at: instant,
  actor: z.object({
    kind: z.string().meta({ description: 'user, key, platform (staff) or system' }),
    id: id.nullable(),
    name: z.string(),
  }),
  action: z.string(),
  group: z.enum(groupNames).nullable().meta({ description: 'Null: an action of a newer version' }),
  sentence: z.string().meta({ description: 'What was done, after the name of who did it' }),
  subject: z.string(),
  subject_name: z.string().nullable().meta({ description: 'Null: it has no name, or is gone' }),
  change: z
    .object({ field: z.string(), from: z.string(), to: z.string() })
    .nullable()
    .meta({ description: 'The only field that was changed, where its values are short' }),
  ip: z.string().nullable().meta({ description: 'Null: done by the system' }),
  impersonated_by: z
    .string()
    .nullable()
    .meta({ description: 'Staff who acted in the actor’s place' }),
  reason: z.string().nullable().meta({ description: 'Why they did' }),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** An entry with its values and its origin. */
export const auditEntryDetail = auditEntry.extend({
  before: z.unknown(),
  after: z.unknown(),
  user_agent: z.string().nullable(),
  session_id: id.nullable(),
  request_id: z.string().nullable(),
});
export type AuditEntryDetail = z.infer<typeof auditEntryDetail>;
