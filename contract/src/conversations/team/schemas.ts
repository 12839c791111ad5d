import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { sortDirections } from '../../sort-direction.ts';
import { itemKinds } from '../rules.ts';

export const person = z.object({ id, name: z.string() });

/** Whose conversations: `me`, `none`, `my_teams` (of any of the reader's), `team:9`, or a person's ID. */
export const assignedFilter = z.union([
  z.enum(['me', 'none', 'my_teams']),
  z.string().regex(/^team:\d{1,15}$/),
  id,
]);

export const presentUser = person.extend({ state: z.enum(['viewing', 'replying']), at: instant });

export type PresentUser = z.infer<typeof presentUser>;

export const cannedReply = z.object({
  id,
  shortcut: z.string(),
  title: z.string(),
  body: z.string(),
  shared: z.boolean(),
  owner: person,
  mine: z.boolean(),
  can_change: z.boolean(),
  updated_at: instant,
});

export type CannedReply = z.infer<typeof cannedReply>;

/** `assigned`: as in the list; null: anyone. `dir` asc: longest wait first. */
export const viewFilters = z.object({
  state: z.enum(['open', 'unread', 'snoozed', 'archived', 'opt_outs']).default('open'),
  assigned: assignedFilter.nullable().default(null),
  types: z.array(z.enum(itemKinds)).max(itemKinds.length).default([]),
  numbers: z.array(id).max(500).default([]),
  sources: z.array(z.string().max(64)).max(50).default([]),
  search: z.string().trim().max(200).default(''),
  dir: z.enum(sortDirections).default('desc'),
});

export type ViewFilters = z.infer<typeof viewFilters>;

export const view = z.object({
  id,
  name: z.string(),
  filters: viewFilters,
  shared: z.boolean(),
  owner: person,
  mine: z.boolean(),
  can_change: z.boolean(),
  count: z.number().meta({ description: 'The number of conversations; 100 means more than 99' }),
});

export type InboxView = z.infer<typeof view>;
