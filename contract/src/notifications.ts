/** Notification blocks, counts and devices (decisions A10, A24). Module: notifications. */
import { z } from 'zod';
import { companyIn, empty, endpoint, event, id, instant, one } from './kit.ts';
import {
  notificationKinds,
  deliveryChannels,
  defaultDelivery,
  type NotificationKind,
} from './notification-rules.ts';

/** Ways a person hears of something. `sms` and `slack` are kept for those who connect them. */
export const notificationChannels = ['email', 'sms', 'push', 'app', 'slack'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];
export const notificationEvents = [
  'call',
  'missed',
  'voicemail',
  'message',
  'fax',
  'campaign',
  'alert',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

const block = z.object({
  number_id: id,
  channel_type: z.enum(notificationChannels),
  event: z.enum(notificationEvents).nullable().meta({ description: 'null: everything' }),
});
export type NotificationBlock = z.infer<typeof block>;
const list = <T>(of: z.ZodType<T>, max: number) =>
  z.preprocess(
    (v) => (v === undefined || v === null || v === '' ? undefined : Array.isArray(v) ? v : [v]),
    z.array(of).min(1).max(max).optional(),
  );
/** `number_id` or `number_ids` (one or several); without `events` everything is meant. */
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

export const listNotificationBlocks = endpoint({
  name: 'listNotificationBlocks',
  method: 'GET',
  path: '/notification-blocks',
  summary: 'List what the signed-in person has muted',
  permission: 'numbers.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: blocks,
  example: { query: { company_id: 1 }, answer: { data: [blockExample] } },
});
export const addNotificationBlocks = endpoint({
  name: 'addNotificationBlocks',
  method: 'POST',
  path: '/notification-blocks',
  summary:
    'Mute channels of numbers, for the signed-in person only. The response is everything they have muted',
  permission: 'numbers.view',
  company: 'given',
  status: 201,
  body: z.object(muting),
  answer: blocks,
  example: {
    body: { company_id: 1, number_ids: [12], channel_types: ['push'] },
    answer: { data: [blockExample] },
  },
});
export const removeNotificationBlocks = endpoint({
  name: 'removeNotificationBlocks',
  method: 'DELETE',
  path: '/notification-blocks',
  summary: 'Unmute channels of numbers',
  permission: 'numbers.view',
  company: 'given',
  body: z.object(muting),
  answer: blocks,
  example: {
    body: { company_id: 1, number_ids: [12], channel_types: ['push'] },
    answer: { data: [] },
  },
});

// ---- counts (A10) --------------------------------------------------------------------------------------------------

const unread = z.object({
  messages: z.number(),
  calls: z.number(),
  voicemails: z.number(),
  faxes: z.number(),
});
const ofNumber = z.object({
  total: z.number(),
  messages: z.number(),
  calls: z.number(),
  voicemails: z.number(),
  faxes: z.number(),
});
const counts = z.object({
  total: z.number(),
  unread,
  byNumber: z
    .record(z.string(), ofNumber)
    .meta({ description: 'By number ID; numbers without unread items are absent' }),
});
export type NotificationCounts = z.infer<typeof counts>;
const countsExample: NotificationCounts = {
  total: 3,
  unread: { messages: 2, calls: 0, voicemails: 0, faxes: 1 },
  byNumber: { 12: { total: 3, messages: 2, calls: 0, voicemails: 0, faxes: 1 } },
};

export const getNotificationCounts = endpoint({
  name: 'getNotificationCounts',
  method: 'GET',
  path: '/notificationCounts',
  summary: 'Count unread items of the numbers you can see; what you muted in the app isn’t counted',
  permission: 'inbox.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(counts),
  example: { query: { company_id: 1 }, answer: { data: countsExample } },
});
export const getNotificationCountsByNumber = endpoint({
  name: 'getNotificationCountsByNumber',
  method: 'GET',
  path: '/notificationCounts/byNumber',
  summary: 'Count unread items by number',
  permission: 'inbox.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(z.record(z.string(), ofNumber)),
  example: { query: { company_id: 1 }, answer: { data: countsExample.byNumber } },
});

// ---- devices -------------------------------------------------------------------------------------------------------

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
export const registerApnsDevice = endpoint({
  name: 'registerApnsDevice',
  method: 'POST',
  path: '/apns-voip-device-tokens',
  summary:
    'Register an iPhone for incoming call pushes. The same device or token replaces the previous one; signing out removes it',
  permission: 'session',
  company: 'none',
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
export const webPushKey = endpoint({
  name: 'webPushKey',
  method: 'GET',
  path: '/web-push/key',
  summary:
    'Get the public key a browser subscribes with; `simulated`: pushes are only stored for viewing',
  permission: 'session',
  company: 'none',
  answer: one(z.object({ key: z.string(), simulated: z.boolean() })),
  example: { answer: { data: { key: 'BNc…', simulated: true } } },
});
export const subscribeWebPush = endpoint({
  name: 'subscribeWebPush',
  method: 'POST',
  path: '/web-push/subscriptions',
  summary:
    'Subscribe this browser to pushes while the app is closed. Signing out removes the subscription',
  permission: 'session',
  company: 'none',
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
export const unsubscribeWebPush = endpoint({
  name: 'unsubscribeWebPush',
  method: 'DELETE',
  path: '/web-push/subscriptions',
  summary: 'Unsubscribe this browser',
  permission: 'session',
  company: 'none',
  status: 204,
  body: z.object({ endpoint: z.string().max(1000) }),
  answer: empty,
  example: { body: { endpoint: 'https://fcm.googleapis.com/fcm/send/abc' } },
});

// ---- how one wants to hear ------------------------------------------------------------------------------------------

/** A mail about a conversation waits this long for more of it. */
export const mailEverySeconds = 300;
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use HH:MM.');
const ways = z.object(
  Object.fromEntries(notificationKinds.map((kind) => [kind, z.enum(deliveryChannels)])) as Record<
    NotificationKind,
    z.ZodEnum<{ push: 'push'; email: 'email'; both: 'both'; none: 'none' }>
  >,
);
const settings = z.object({
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
const settingsExample: NotificationSettings = {
  kinds: { ...defaultDelivery },
  number_ids: [],
  quiet: { on: true, from: '20:00', to: '08:00', timezone: 'America/New_York', now: false },
  email: 'user@demo.test',
  devices: 1,
};
export const getNotificationSettings = endpoint({
  name: 'getNotificationSettings',
  method: 'GET',
  path: '/notification-settings',
  summary: 'Get the signed-in person’s notification settings in a company',
  permission: 'company.view',
  company: 'given',
  query: z.object({ ...companyIn }),
  answer: one(settings),
  example: { query: { company_id: 1 }, answer: { data: settingsExample } },
});
export const saveNotificationSettings = endpoint({
  name: 'saveNotificationSettings',
  method: 'PUT',
  path: '/notification-settings',
  summary: 'Update your notification settings; fields left out stay unchanged',
  permission: 'company.view',
  company: 'given',
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
/** What the link at the end of a mail does, once the page it leads to is told to. Nobody needs to be signed in. */
export const unsubscribeMail = endpoint({
  name: 'unsubscribeMail',
  method: 'POST',
  path: '/notification-settings/unsubscribe',
  summary: 'Stop this company’s emails to the person the link belongs to; pushes continue',
  permission: 'public',
  company: 'none',
  refusals: ['unsubscribe.invalid'],
  body: z.object({ token: z.string().min(1).max(200) }),
  answer: one(z.object({ company: z.string(), email: z.string() })),
  example: {
    body: { token: '1-5-sig' },
    answer: { data: { company: 'Harbor Dental', email: 'u…@demo.test' } },
  },
});

// ---- said aloud ----------------------------------------------------------------------------------------------------

/** On the person's own channel: what they muted changed. */
export const notificationBlocksChanged = event({
  name: 'notification-blocks-changed',
  channel: 'users',
  about: ['userId'],
  touches: [
    'listNotificationBlocks',
    'listNumbers',
    'listNumbersDatatable',
    'getNotificationCounts',
    'getNotificationCountsByNumber',
    'getNumber',
  ],
  data: z.object({ companyId: id }),
});
/** On the person's own channel: how they want to hear changed. */
export const notificationSettingsChanged = event({
  name: 'notification-settings-changed',
  channel: 'users',
  about: ['userId'],
  touches: ['getNotificationSettings'],
  data: z.object({ companyId: id }),
});
