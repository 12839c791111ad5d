import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, empty, id, instant, one } from '../schemas.ts';
import { defaultDelivery, notificationChannels, notificationEvents } from './rules.ts';
import {
  block,
  counts,
  type NotificationBlock,
  type NotificationCounts,
  type NotificationSettings,
  ofNumber,
  settings,
  ways,
} from './schemas.ts';

const list = <T>(of: z.ZodType<T>, max: number) =>
  z.preprocess(
    (v) => (v === undefined || v === null || v === '' ? undefined : Array.isArray(v) ? v : [v]),
    z.array(of).min(1).max(max).optional(),
  );

/** `number_id` or `number_ids` (one or several); without `events`: all events. */
const muting = {
  number_id: list(id, 500),
  number_ids: list(id, 500),
  channel_types: z.preprocess(
    (v) => (Array.isArray(v) || v === undefined ? v : [v]),
    z
      .array(z.enum(notificationChannels), 'Choose at least one channel.')
      .min(1, 'Choose at least one channel.')
      .max(5),
  ),
  events: list(z.enum(notificationEvents), notificationEvents.length),
  ...companyIn,
};

const blocks = z.object({ data: z.array(block) });

const blockExample: NotificationBlock = { number_id: 12, channel_type: 'push', event: null };

export const listNotificationBlocks = operation({
  summary: 'List what the signed-in person has muted',
  query: z.object({ ...companyIn }),
  answer: blocks,
  example: { query: { company_id: 1 }, answer: { data: [blockExample] } },
});

export const addNotificationBlocks = operation({
  summary:
    'Mute channels of numbers, for the signed-in person only. The response is everything they have muted',
  status: 201,
  body: z.object(muting),
  answer: blocks,
  example: {
    body: { company_id: 1, number_ids: [12], channel_types: ['push'] },
    answer: { data: [blockExample] },
  },
});

export const removeNotificationBlocks = operation({
  summary: 'Unmute channels of numbers',
  body: z.object(muting),
  answer: blocks,
  example: {
    body: { company_id: 1, number_ids: [12], channel_types: ['push'] },
    answer: { data: [] },
  },
});

const countsExample: NotificationCounts = {
  total: 3,
  unread: { messages: 2, calls: 0, voicemails: 0, faxes: 1 },
  byNumber: { 12: { total: 3, messages: 2, calls: 0, voicemails: 0, faxes: 1 } },
};

export const getNotificationCounts = operation({
  summary: 'Count unread items of the numbers you can see; what you muted in the app isn’t counted',
  query: z.object({ ...companyIn }),
  answer: one(counts),
  example: { query: { company_id: 1 }, answer: { data: countsExample } },
});

export const getNotificationCountsByNumber = operation({
  summary: 'Count unread items by number',
  query: z.object({ ...companyIn }),
  answer: one(z.record(z.string(), ofNumber)),
  example: { query: { company_id: 1 }, answer: { data: countsExample.byNumber } },
});

const device = z.object({
  id,
  kind: z.enum(['apns_voip', 'web']),
  device_id: z.string(),
  created_at: instant,
});

const deviceExample = {
  id: 31,
  kind: 'apns_voip' as const,
  device_id: 'app-7f3a',
  created_at: '2026-11-21T09:15:04.000Z',
};

export const registerApnsDevice = operation({
  summary:
    'Register an iPhone for incoming call pushes. The same device or token replaces the previous one; signing out removes it',
  status: 201,
  body: z.object({
    token: z
      .string()
      .regex(/^[0-9a-f]{64,200}$/i, 'A device token has 64 or more hexadecimal digits.'),
    device_id: z.string().min(1, 'Enter a device name.').max(100),
    bundle_id: z.string().regex(/^[\w.-]{3,150}$/, 'Enter the app’s bundle ID.'),
    environment: z.enum(['production', 'sandbox']),
  }),
  answer: one(device),
  example: {
    body: {
      token: '4f'.repeat(32),
      device_id: 'app-7f3a',
      bundle_id: 'com.example.phone',
      environment: 'production',
    },
    answer: { data: deviceExample },
  },
});

export const webPushKey = operation({
  summary:
    'Get the public key a browser subscribes with; `simulated`: pushes are only stored for viewing',
  answer: one(z.object({ key: z.string(), simulated: z.boolean() })),
  example: { answer: { data: { key: 'BNc…', simulated: true } } },
});

export const subscribeWebPush = operation({
  summary:
    'Subscribe this browser to pushes while the app is closed. Signing out removes the subscription',
  status: 201,
  body: z.object({
    endpoint: z.url('Send the subscription’s endpoint.').max(1000),
    keys: z.object({ p256dh: z.string().min(20).max(200), auth: z.string().min(8).max(100) }),
  }),
  answer: one(device),
  example: {
    body: {
      endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
      keys: {
        p256dh:
          'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: 'tBHItJI5svbpez7KI4CCXg',
      },
    },
    answer: { data: { ...deviceExample, kind: 'web', device_id: 'fcm.googleapis.com' } },
  },
});

export const unsubscribeWebPush = operation({
  summary: 'Unsubscribe this browser',
  status: 204,
  body: z.object({ endpoint: z.string().max(1000) }),
  answer: empty,
  example: { body: { endpoint: 'https://fcm.googleapis.com/fcm/send/abc' } },
});

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:MM.');

const settingsExample: NotificationSettings = {
  kinds: { ...defaultDelivery },
  number_ids: [],
  quiet: { on: true, from: '20:00', to: '08:00', timezone: 'America/New_York', now: false },
  email: 'user@demo.test',
  devices: 1,
};

export const getNotificationSettings = operation({
  summary: 'Get the signed-in person’s notification settings in a company',
  query: z.object({ ...companyIn }),
  answer: one(settings),
  example: { query: { company_id: 1 }, answer: { data: settingsExample } },
});

export const saveNotificationSettings = operation({
  summary: 'Update your notification settings; fields left out stay unchanged',
  body: z.object({
    kinds: ways.partial().optional(),
    number_ids: z.array(id).max(500).optional(),
    quiet: z
      .object({ on: z.boolean(), from: clock, to: clock, timezone: z.string().max(60).nullable() })
      .partial()
      .optional(),
    ...companyIn,
  }),
  answer: one(settings),
  example: {
    body: {
      company_id: 1,
      kinds: { message: 'both' },
      quiet: { on: true, from: '20:00', to: '08:00' },
    },
    answer: { data: settingsExample },
  },
});

export const unsubscribeMail = operation({
  summary: 'Stop this company’s emails to the person the link belongs to; pushes continue',
  errors: ['unsubscribe.invalid'],
  body: z.object({ token: z.string().min(1).max(200) }),
  answer: one(z.object({ company: z.string(), email: z.string() })),
  example: {
    body: { token: '1-5-sig' },
    answer: { data: { company: 'Harbor Dental', email: 'u…@demo.test' } },
  },
});
