import { z } from 'zod';
import { operation } from '../../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../../schemas.ts';
import { type InboxView, view, viewFilters } from '../schemas.ts';

const counted = z.object({
  open: z.number(),
  mine: z.number(),
  unassigned: z.number(),
  unread: z.number(),
  snoozed: z.number(),
  opt_outs: z.number(),
});

const viewExample: InboxView = {
  id: 41,
  name: 'Waiting for me',
  filters: {
    ...({ state: 'unread', assigned: 'me' } as const),
    ...{ types: [], numbers: [], sources: [] },
    ...({ search: '', dir: 'asc' } as const),
  },
  shared: false,
  owner: { id: 5, name: 'Una User' },
  mine: true,
  can_change: true,
  count: 4,
};

const ofView = { table: 'inbox_view', param: 'id' };

const viewName = z.string().trim().min(1, 'Enter a name.').max(40, 'At most 40 characters.');

export const listInboxViews = operation({
  summary:
    'List saved views, shared and your own, with how many conversations each shows; `meta.counts` counts the built-in ones',
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(view), meta: z.object({ counts: counted }) }),
  example: {
    query: { company_id: 1 },
    answer: {
      data: [viewExample],
      meta: { counts: { open: 31, mine: 4, unassigned: 22, unread: 9, snoozed: 2, opt_outs: 1 } },
    },
  },
});

export const addInboxView = operation({
  summary: 'Save filters and order as a view, for yourself or for everyone',
  status: 201,
  errors: ['view.exists', 'view.limit'],
  body: z.object({
    name: viewName,
    filters: viewFilters,
    shared: flag.default(false),
    ...companyIn,
  }),
  answer: one(view),
  example: {
    body: {
      company_id: 1,
      name: 'Waiting for me',
      filters: { state: 'unread', assigned: 'me', dir: 'asc' },
      shared: false,
    },
    answer: { data: viewExample },
  },
});

export const updateInboxView = operation({
  summary: 'Rename a view, change what it shows, or share it',
  object: ofView,
  errors: ['view.exists', 'view.not_yours'],
  params: z.object({ id }),
  body: z
    .object({ name: viewName, filters: viewFilters, shared: flag })
    .partial()
    .extend(companyIn),
  answer: one(view),
  example: {
    params: { id: 41 },
    body: { name: 'My unread' },
    answer: { data: { ...viewExample, name: 'My unread' } },
  },
});

export const removeInboxView = operation({
  summary: 'Delete a view; its conversations stay',
  object: ofView,
  status: 204,
  errors: ['view.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 41 } },
});
