import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, listQuery, one, pageOf } from '../../schemas.ts';
import { routeExample } from '../examples.ts';
import { menu, routesIn } from '../schemas/routes.ts';
import {
  flow,
  type FlowRoute,
  flowVersion,
  type FlowVersion,
  numberFlow,
  type NumberFlow,
  published,
} from './schemas.ts';

const ofNumber = { object: { table: 'number', param: 'id' } } as const;

const revision = z.coerce.number<number>().int().min(0).nullish().meta({
  description:
    'The draft revision you started from; null: there was no draft. Left out: not checked',
});

const flowIn = z.object({ routes: routesIn, menu });

const exampleRoute: FlowRoute = {
  ...routeExample,
  label: 'Sales',
  type: 'sequential',
  voicemail_enabled: true,
};

const exampleVersion: FlowVersion = {
  version: 3,
  kind: 'published',
  summary: 'Sales now goes to voicemail.',
  published_at: '2026-11-18T17:00:00.000Z',
  published_by: 'Olive Owner',
  restored_from: null,
};

const exampleFlow: NumberFlow = {
  number_id: 11,
  people: { 1: 'Olive Owner' },
  teams: {},
  published: {
    routes: [exampleRoute],
    menu: { greeting: null, fallback: null },
    version: 3,
    summary: exampleVersion.summary,
    published_at: exampleVersion.published_at,
    published_by: 'Olive Owner',
    sentences: [
      'Callers are connected immediately: rings Front desk for 20 seconds, then goes to voicemail.',
    ],
  },
  draft: {
    routes: [{ ...exampleRoute, timeout: 30 }],
    menu: { greeting: null, fallback: null },
    revision: 2,
    based_on: 3,
    edited_by: 'Olive Owner',
    edited_by_id: 1,
    edited_at: '2026-11-18T18:00:00.000Z',
    changes: ['Sales rings for 30 seconds instead of 20.'],
  },
};

const exampleIn = {
  routes: [
    {
      extension: 1,
      label: 'Sales',
      type: 'sequential',
      voicemail_enabled: true,
      forwards: [{ number: '+12125550147', label: 'Front desk' }],
    },
  ],
  menu: { greeting: null, fallback: null },
};

export const getFlow = operation({
  summary: 'Get a number’s live call flow, and the draft in progress',
  ...ofNumber,
  params: z.object({ id }),
  answer: one(numberFlow),
  example: { params: { id: 11 }, answer: { data: exampleFlow } },
});

export const saveFlowDraft = operation({
  summary:
    'Save a draft; calls follow the published flow. A draft that someone else changed in the meantime isn’t overwritten',
  ...ofNumber,
  params: z.object({ id }),
  body: flowIn.extend({ revision }),
  answer: one(numberFlow),
  etagOf: 'getFlow',
  errors: ['flow.draft_changed', 'flow.draft_gone'],
  example: { params: { id: 11 }, body: exampleIn, answer: { data: exampleFlow } },
});

export const discardFlowDraft = operation({
  summary: 'Discard the draft',
  ...ofNumber,
  params: z.object({ id }),
  query: z.object({ revision }),
  answer: empty,
  status: 204,
  etagOf: 'getFlow',
  errors: ['flow.draft_changed', 'flow.draft_gone'],
  example: { params: { id: 11 } },
});

export const publishFlow = operation({
  summary: 'Publish the draft as a new version; calls in progress keep theirs',
  ...ofNumber,
  params: z.object({ id }),
  body: z.object({
    revision,
    over: z
      .number()
      .int()
      .optional()
      .meta({ description: 'The live version you know and replace' }),
  }),
  answer: one(numberFlow),
  etagOf: 'getFlow',
  errors: ['flow.draft_changed', 'flow.draft_gone', 'flow.no_draft', 'flow.published_meanwhile'],
  example: { params: { id: 11 }, body: {}, answer: { data: { ...exampleFlow, draft: null } } },
});

export const listFlowVersions = operation({
  summary: 'List all published versions, newest first. `meta.next_cursor` continues',
  ...ofNumber,
  paged: true,
  params: z.object({ id }),
  query: listQuery({}, { perPage: 25 }),
  answer: pageOf(flowVersion),
  example: { params: { id: 11 }, answer: { data: [exampleVersion] } },
});

export const getFlowVersion = operation({
  summary: 'Get one version: its routes, and the flow in sentences',
  ...ofNumber,
  params: z.object({ id, version: z.coerce.number<number>().int().positive().max(2_147_483_647) }),
  answer: one(flow.extend({ ...published, sentences: z.array(z.string()) })),
  example: {
    params: { id: 11, version: 3 },
    answer: {
      data: {
        ...exampleVersion,
        routes: [exampleRoute],
        menu: { greeting: null, fallback: null },
        sentences: exampleFlow.published.sentences,
      },
    },
  },
});

export const restoreFlowVersion = operation({
  summary:
    'Roll back: publish an earlier version again (as a new version), or load it as the draft',
  ...ofNumber,
  params: z.object({ id, version: z.coerce.number<number>().int().positive().max(2_147_483_647) }),
  body: z.object({ as: z.enum(['published', 'draft']).default('published'), revision }),
  answer: one(numberFlow),
  etagOf: 'getFlow',
  errors: ['flow.draft_changed', 'flow.draft_gone'],
  example: {
    params: { id: 11, version: 2 },
    body: { as: 'published' },
    answer: { data: { ...exampleFlow, draft: null } },
  },
});
