import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import {
  alertKindNames,
  alertSeverities,
  alertStates,
  alertSubjects,
  dismissReasons,
} from './rules.ts';

const metric = z.object({
  name: z.string(),
  value: z.number(),
  threshold: z.number(),
  unit: z.string(),
  window: z.string(),
});

/** Alert (A17). Where details are hidden, its label and message show none. */
export const alert = z.object({
  id,
  kind: z.enum(alertKindNames),
  severity: z.enum(alertSeverities),
  state: z.enum(alertStates),
  company: z.object({ id, name: z.string() }),
  organization_id: id.nullable(),
  subject: z.object({ type: z.enum(alertSubjects), id, label: z.string() }),
  title: z.string(),
  message: z.string(),
  metric,
  first_seen_at: instant,
  last_seen_at: instant,
  occurrences: z.number(),
  auto_resolve: z.boolean(),
  resolved_at: instant.nullable(),
  resolved_by: z.object({ id, name: z.string() }).nullable(),
  comment: z.string().nullable(),
  reason: z.enum(dismissReasons).nullable(),
  suggestions: z.array(z.object({ text: z.string(), link: z.string() })),
  created_at: instant,
});

/** An alert by itself, with its chart. */
export const alertWithSamples = alert.extend({
  samples: z
    .array(z.object({ at: instant, value: z.number() }))
    .meta({ description: 'What it measured each time that changed, oldest first: the latest 500' }),
});

export const alertChange = z.object({
  at: instant,
  actor: z.object({ id, name: z.string() }).nullable().meta({ description: 'null: the system' }),
  from: z.enum(alertStates).nullable().meta({ description: 'null: it was raised' }),
  to: z.enum(alertStates),
  reason: z.enum(dismissReasons).nullable(),
  comment: z.string().nullable(),
  metric: metric.nullable(),
});
