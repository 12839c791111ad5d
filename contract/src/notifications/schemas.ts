import { z } from 'zod';
import { id } from '../schemas.ts';
import {
  deliveryChannels,
  notificationChannels,
  notificationEvents,
  type NotificationKind,
  notificationKinds,
} from './rules.ts';

export const block = z.object({
  number_id: id,
  channel_type: z.enum(notificationChannels),
  event: z.enum(notificationEvents).nullable().meta({ description: 'null: everything' }),
});

export type NotificationBlock = z.infer<typeof block>;

const unread = z.object({
  messages: z.number(),
  calls: z.number(),
  voicemails: z.number(),
  faxes: z.number(),
});

export const ofNumber = z.object({
  total: z.number(),
  messages: z.number(),
  calls: z.number(),
  voicemails: z.number(),
  faxes: z.number(),
});

export const counts = z.object({
  total: z.number(),
  unread,
  byNumber: z
    .record(z.string(), ofNumber)
    .meta({ description: 'By number ID; numbers without unread items are absent' }),
});

export type NotificationCounts = z.infer<typeof counts>;

export const ways = z.object(
  Object.fromEntries(notificationKinds.map((kind) => [kind, z.enum(deliveryChannels)])) as Record<
    NotificationKind,
    z.ZodEnum<{ push: 'push'; email: 'email'; both: 'both'; none: 'none' }>
  >,
);

export const settings = z.object({
  kinds: ways,
  number_ids: z
    .array(id)
    .meta({ description: 'Only these numbers; empty: every number you can see' }),
  quiet: z
    .object({
      on: z.boolean(),
      from: z.string(),
      to: z.string(),
      timezone: z.string(),
      now: z.boolean().meta({ description: 'Quiet hours are on now' }),
    })
    .meta({ description: 'No pushes during quiet hours; emails wait until they end' }),
  email: z.string(),
  devices: z.number().meta({ description: 'Browsers and phones that can receive push' }),
});

export type NotificationSettings = z.infer<typeof settings>;
