/** Call flows as drafts and published versions. Module: routing. */
import { z } from 'zod';
import { empty, endpoint, event, id, instant, listQuery, one, pageOf } from './kit.ts';
import { forward, hours, menu, route, routesIn } from './routing.ts';

export * from './flow-sentences.ts';

/** A route of a draft or version: what is new has no id yet. */
export const flowForward = forward.extend({ id: id.nullable(), schedule: hours.nullable() });
export const flowRoute = route.extend({ id: id.nullable(), forwards: z.array(flowForward) });
export const flow = z.object({ routes: z.array(flowRoute), menu });
export type Flow = z.infer<typeof flow>;
export type FlowRoute = z.infer<typeof flowRoute>;

const versionKind = z.enum(['published', 'saved', 'restored', 'first']).meta({
  description:
    'published: from a draft; saved: PUT /numbers/{id} and other direct changes; restored: rolled back; first: the flow before versions were kept',
});
const published = {
  version: z.number().int(),
  kind: versionKind,
  summary: z.string(),
  published_at: instant,
  published_by: z.string().nullable(),
  restored_from: z.number().int().nullable(),
};
export const flowVersion = z.object(published);
export type FlowVersion = z.infer<typeof flowVersion>;

const draft = flow.extend({
  revision: z
    .number()
    .int()
    .meta({ description: 'Increases with each save; send it with the next one' }),
  based_on: z.number().int().meta({ description: 'The live version when the draft was started' }),
  edited_by: z.string(),
  edited_by_id: id.nullable(),
  edited_at: instant,
  changes: z.array(z.string()).meta({ description: 'What publishing would change, in sentences' }),
});
export const numberFlow = z.object({
  number_id: id,
  published: flow.extend({
    version: z.number().int().meta({ description: '0: never changed since versions are kept' }),
    summary: z.string(),
    published_at: instant.nullable(),
    published_by: z.string().nullable(),
    sentences: z.array(z.string()),
  }),
  draft: draft.nullable(),
  people: z
    .record(z.string(), z.string())
    .meta({ description: 'Names of the company’s people by user ID' }),
});
export type NumberFlow = z.infer<typeof numberFlow>;

const ofNumber = { company: 'object', object: { table: 'number', param: 'id' } } as const;
const revision = z.coerce.number<number>().int().min(0).nullish().meta({
  description:
    'The draft revision you started from; null: there was no draft. Left out: not checked',
});
const flowIn = z.object({ routes: routesIn, menu });

const exampleRoute: FlowRoute = {
  id: 7,
  extension: 1,
  label: 'Sales',
  type: 'sequential',
  forwards: [
    {
      id: 8,
      label: 'Front desk',
      number: '+12125550147',
      contact_id: null,
      user_id: null,
      weight: null,
      timeout: null,
      schedule: null,
      area_codes: [],
      states: [],
      order: 0,
      caller_id: null,
      custom_caller_id: null,
    },
  ],
  business_hours: null,
  stagger: false,
  caller_id_pass_thru: true,
  confirm_key: false,
  confirm_key_wait: 10,
  timeout: 20,
  onhold_music_id: null,
  geo_by_state_enabled: false,
  geo_by_state_static_fallback: true,
  confirm_whisper: '',
  email_alert_address: [],
  voicemail_enabled: true,
  voicemail_greeting_id: null,
  voicemail_greeting: null,
  round_robin: 'none',
  after_hours: null,
  max_attempts: 1,
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

export const getFlow = endpoint({
  name: 'getFlow',
  method: 'GET',
  path: '/numbers/{id}/flow',
  summary: 'Get a number’s live call flow, and the draft in progress',
  permission: 'routing.view',
  ...ofNumber,
  params: z.object({ id }),
  answer: one(numberFlow),
  example: { params: { id: 11 }, answer: { data: exampleFlow } },
});
export const saveFlowDraft = endpoint({
  name: 'saveFlowDraft',
  method: 'PUT',
  path: '/numbers/{id}/flow/draft',
  summary:
    'Save a draft; calls follow the published flow. A draft that someone else changed in the meantime isn’t overwritten',
  permission: 'numbers.configure',
  ...ofNumber,
  params: z.object({ id }),
  body: flowIn.extend({ revision }),
  answer: one(numberFlow),
  etagOf: 'getFlow',
  refusals: ['flow.draft_changed', 'flow.draft_gone'],
  example: { params: { id: 11 }, body: exampleIn, answer: { data: exampleFlow } },
});
export const discardFlowDraft = endpoint({
  name: 'discardFlowDraft',
  method: 'DELETE',
  path: '/numbers/{id}/flow/draft',
  summary: 'Discard the draft',
  permission: 'numbers.configure',
  ...ofNumber,
  params: z.object({ id }),
  query: z.object({ revision }),
  answer: empty,
  status: 204,
  etagOf: 'getFlow',
  refusals: ['flow.draft_changed', 'flow.draft_gone'],
  example: { params: { id: 11 } },
});
export const publishFlow = endpoint({
  name: 'publishFlow',
  method: 'POST',
  path: '/numbers/{id}/flow/publish',
  summary: 'Publish the draft as a new version; calls in progress keep theirs',
  permission: 'numbers.configure',
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
  refusals: ['flow.draft_changed', 'flow.draft_gone', 'flow.no_draft', 'flow.published_meanwhile'],
  example: { params: { id: 11 }, body: {}, answer: { data: { ...exampleFlow, draft: null } } },
});
export const listFlowVersions = endpoint({
  name: 'listFlowVersions',
  method: 'GET',
  path: '/numbers/{id}/flow/versions',
  summary: 'List all published versions, newest first. `meta.next_cursor` continues',
  permission: 'routing.view',
  ...ofNumber,
  paged: true,
  params: z.object({ id }),
  query: listQuery({}, { perPage: 25 }),
  answer: pageOf(flowVersion),
  example: { params: { id: 11 }, answer: { data: [exampleVersion] } },
});
export const getFlowVersion = endpoint({
  name: 'getFlowVersion',
  method: 'GET',
  path: '/numbers/{id}/flow/versions/{version}',
  summary: 'Get one version: its routes, and the flow in sentences',
  permission: 'routing.view',
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
export const restoreFlowVersion = endpoint({
  name: 'restoreFlowVersion',
  method: 'POST',
  path: '/numbers/{id}/flow/versions/{version}/restore',
  summary:
    'Roll back: publish an earlier version again (as a new version), or load it as the draft',
  permission: 'numbers.configure',
  ...ofNumber,
  params: z.object({ id, version: z.coerce.number<number>().int().positive().max(2_147_483_647) }),
  body: z.object({ as: z.enum(['published', 'draft']).default('published'), revision }),
  answer: one(numberFlow),
  etagOf: 'getFlow',
  refusals: ['flow.draft_changed', 'flow.draft_gone'],
  example: {
    params: { id: 11, version: 2 },
    body: { as: 'published' },
    answer: { data: { ...exampleFlow, draft: null } },
  },
});

/** A draft was kept, thrown away or published, or a version rolled back. */
export const flowChanged = event({
  name: 'flow.changed',
  channel: 'companies',
  data: z.object({
    companyId: id,
    numberId: id,
    what: z.enum(['draft', 'discarded', 'published']),
    byName: z.string(),
  }),
  touches: ['getFlow', 'listFlowVersions', 'getFlowVersion'],
  about: ['numberId'],
});
