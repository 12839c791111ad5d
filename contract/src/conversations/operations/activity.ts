import { z } from 'zod';
import { eavFilter } from '../../fields/schemas.ts';
import { operation } from '../../operation.ts';
import { companyIn, flag, pageOf } from '../../schemas.ts';
import { inboxItemExample } from '../examples.ts';
import type { activityKinds } from '../rules.ts';
import { activityGroups, inboxItem } from '../schemas.ts';

/** Names of the types: the singular of the specification, and plurals. */
const kindNames = {
  call: 'call',
  calls: 'call',
  message: 'message',
  messages: 'message',
  voicemail: 'voicemail',
  voicemails: 'voicemail',
  fax: 'fax',
  faxes: 'fax',
} as const satisfies Record<string, (typeof activityKinds)[number]>;

/** A list of kinds, or the same flags as an object. */
const typesFlagged = z
  .union([
    z
      .array(
        z
          .enum(Object.keys(kindNames) as (keyof typeof kindNames)[])
          .transform((name) => kindNames[name]),
      )
      .max(8),
    z
      .strictObject(
        Object.fromEntries(Object.keys(kindNames).map((name) => [name, flag.optional()])),
      )
      .transform((flags) =>
        Object.entries(flags).flatMap(([name, on]) =>
          on ? [kindNames[name as keyof typeof kindNames]] : [],
        ),
      ),
  ])
  .optional();

export const listActivity = operation({
  summary:
    'List calls, messages, voicemails and faxes, newest first, ten per page. Groups of filters: all conditions inside a group, any group. A filter that no index answers looks through the newest 20,000 items; `meta.searched_since` says back to when',
  paged: true,
  query: z.object({ ...companyIn, strict: flag.optional() }),
  body: z
    .object({
      page: z.coerce.number<number>().int().min(1).max(10_000).default(1),
      perPage: z.coerce
        .number<number>()
        .int()
        .min(1)
        .transform((n) => Math.min(n, 250))
        .default(10),
      tz: z.string().max(60).default('UTC'),
      groups: activityGroups,
      eav: eavFilter,
      types: typesFlagged,
      ...(Object.fromEntries(
        Object.keys(kindNames).map((name) => [name, flag.optional()]),
      ) as Record<keyof typeof kindNames, z.ZodOptional<typeof flag>>),
      cursor: z.string().max(400).optional(),
      strict: flag.optional(),
      ...companyIn,
    })
    .transform(({ calls, messages, voicemails, faxes, ...rest }) => ({
      ...rest,
      call: rest.call || calls,
      message: rest.message || messages,
      voicemail: rest.voicemail || voicemails,
      fax: rest.fax || faxes,
    })),
  answer: pageOf(inboxItem),
  example: {
    body: {
      companyId: 1,
      page: 1,
      perPage: 10,
      tz: 'America/New_York',
      call: true,
      groups: [[{ field: 'direction', op: 'eq', value: 'inbound' }]],
    },
    answer: { data: [inboxItemExample] },
  },
});
