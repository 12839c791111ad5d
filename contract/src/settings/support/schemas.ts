import { z } from 'zod';
import { id, instant } from '../../schemas.ts';

export const supportTicket = z.object({
  id,
  reference: z.string().meta({ description: 'What to name on the phone or in an email' }),
  status: z.enum(['open', 'answered', 'closed']).meta({
    description: 'open: waits for support; answered: waits for the sender',
  }),
  message: z.string(),
  callback_number: z.string().nullable(),
  callback_requested: z.boolean(),
  attachments: z.array(z.object({ id, name: z.string(), bytes: z.number(), url: z.string() })),
  created_at: instant,
  changed_at: instant.meta({ description: 'When something was last said or decided' }),
});
const reply = z.object({
  id,
  by_staff: z.boolean(),
  message: z.string(),
  created_at: instant,
});
/** A ticket with what was said since, oldest first. */
export const supportConversation = supportTicket.extend({ replies: z.array(reply) });

/** A ticket as platform staff see it. */
export const staffTicket = supportTicket.extend({
  page_url: z.string().nullable(),
  company: z.object({ id, name: z.string() }),
  user: z.object({ id, name: z.string(), email: z.string() }),
  assignee: z.object({ id, name: z.string() }).nullable(),
});
/** What staff read of a conversation: who of them wrote which reply, too. */
export const staffConversation = staffTicket.extend({
  replies: z.array(reply.extend({ author: z.string() })),
});

const health = z.enum(['ok', 'failing', 'set_up', 'not_set_up']).meta({
  description: 'set_up: only its use is checked',
});

export const systemStatus = z.object({
  node: z.string(),
  at: instant,
  jobs: z.array(
    z.object({
      job: z.string(),
      waiting: z.number(),
      running: z.number(),
      failed: z.number(),
      oldest_due_at: instant.nullable(),
      last_error: z.string().nullable(),
    }),
  ),
  events: z.object({ unpublished: z.number() }),
  mail: z.object({ status: health, waiting: z.number(), failed: z.number() }),
  third_parties: z.array(z.object({ kind: z.string(), name: z.string(), status: health })),
  storage: z.object({
    kind: z.enum(['disk', 's3']),
    files: z.number(),
    used_bytes: z.number(),
    free_bytes: z.number().nullable().meta({ description: 'Null where files are in S3' }),
    total_bytes: z.number().nullable(),
  }),
  database: z.object({
    version: z.string(),
    bytes: z.number(),
    replica: z.object({ behind_seconds: z.number().nullable() }).nullable().meta({
      description:
        'The read replica, and by how much it is behind; null seconds: it doesn’t answer or replicates another database; null: there is none',
    }),
  }),
  processes: z.array(z.object({ process: z.string(), connections: z.number() })),
  migrations: z.object({ applied: z.number(), last: z.string(), last_at: instant }),
  backups: z.object({
    scheduled: z.boolean().meta({ description: 'Whether one is made every day' }),
    last_good: z
      .object({
        at: instant,
        name: z.string(),
        place: z.string(),
        bytes: z.number(),
        checked: z.boolean().meta({ description: 'Whether a copy was started and compared' }),
      })
      .nullable(),
    failed: z
      .object({ at: instant, reason: z.string() })
      .nullable()
      .meta({ description: 'The last attempt, where it failed' }),
  }),
  fills: z
    .array(
      z.object({
        name: z.string(),
        done: z.number().meta({ description: 'Rows counted so far' }),
        total: z.number().meta({ description: 'Rows that there were when it began' }),
        changed_at: instant.nullable().meta({ description: 'When its last step ended' }),
        error: z.string().nullable().meta({ description: 'Why its last step failed' }),
      }),
    )
    .meta({
      description:
        'What an upgrade left to count in the background, in the order in which it is done',
    }),
  call_sums: z
    .object({
      companies: z.number(),
      counting: z.number().meta({
        description:
          'Companies whose calls or texts aren’t all added up yet; reports count them one by one',
      }),
      checked_at: instant.nullable().meta({ description: 'When a company was recounted last' }),
      repaired: z
        .object({ at: instant, sums: z.number() })
        .nullable()
        .meta({ description: 'The last recount that found wrong sums; it corrected them' }),
    })
    .meta({
      description:
        'Sums of calls, texts, voicemails and faxes that reports read; recounted every night',
    }),
});
