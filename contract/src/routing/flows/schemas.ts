import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { hours } from '../schemas/hours.ts';
import { forward, menu, route } from '../schemas/routes.ts';

/** A route of a draft or version; a new one has no ID yet. */
const flowForward = forward.extend({ id: id.nullable(), schedule: hours.nullable() });

const flowRoute = route.extend({ id: id.nullable(), forwards: z.array(flowForward) });

export const flow = z.object({ routes: z.array(flowRoute), menu });

export type Flow = z.infer<typeof flow>;

export type FlowRoute = z.infer<typeof flowRoute>;

const versionKind = z.enum(['published', 'saved', 'restored', 'first']).meta({
  description:
    'published: from a draft; saved: PUT /numbers/{id} and other direct changes; restored: rolled back; first: the flow before versions were kept',
});

export const published = {
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
  teams: z.record(z.string(), z.object({ name: z.string(), user_ids: z.array(id) })).meta({
    description: 'Teams that the flow or its draft rings, with their active people, by ID',
  }),
});

export type NumberFlow = z.infer<typeof numberFlow>;
