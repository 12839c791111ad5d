import { z } from 'zod';
import { endpoint, event, id, one } from './kit.ts';
import { exampleNumber, numberDetail, numberPatch } from './numbers.ts';
import { normalizePhone } from './phone.ts';
import {
  cleanExtensionEntries,
  destinationNumber,
  routeDefaults as given,
} from './routing-rules.ts';
import { canonicalZone, overlapIn, weekdayNames } from './schedule-rules.ts';

export * from './routing-rules.ts';

export const routeTypes = [
  'standard',
  'simultaneous',
  'sequential',
  'geo',
  'voicemail',
  'in-app-calling',
] as const;
export const routeType = z.enum(routeTypes).meta({ description: 'Forwarding type' });

// ---- business hours (B §4, A7.3) ------------------------------------------------------------------------------------

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Use HH:MM.');
export const timeRange = z
  .object({ start: clock, end: clock })
  .meta({ description: 'Local time; an end at or before the start crosses midnight' });
export const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

export const hoursBlocks = z
  .array(
    z.object({ days: z.array(weekday).min(1, 'Choose a day.'), times: z.array(timeRange).max(10) }),
  )
  .max(14)
  .superRefine((blocks, refine) => {
    const twice = overlapIn(blocks);
    if (twice !== null)
      refine.addIssue({
        code: 'custom',
        path: [twice.block, 'times', twice.time],
        message: `Two time ranges overlap on ${weekdayNames[twice.day]}.`,
      });
  });

export const timezone = z
  .string()
  .max(60)
  .refine((zone) => canonicalZone(zone) !== null, 'Choose a time zone from the list.')
  .overwrite((zone) => canonicalZone(zone) ?? zone);
const date = z.iso.date('Use YYYY-MM-DD.');

/** A route's or destination's hours. `preset` 6 follows the company's hours, 5 is Direct Voicemail. */
export const hours = z.object({
  preset: z
    .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)])
    .default(1),
  timezone: timezone.nullable().default(null).meta({ description: 'null: the company’s' }),
  blocks: hoursBlocks.default([]),
  exceptions: z
    .array(
      z
        .object({
          from: date,
          to: date,
          label: z.string().max(80).default(''),
          closed: z.boolean().default(true),
          times: z.array(timeRange).max(10).default([]),
        })
        .superRefine((one, refine) => {
          if (one.to < one.from)
            refine.addIssue({
              code: 'custom',
              path: ['to'],
              message: 'Choose a last day on or after the first.',
            });
        }),
    )
    .max(200)
    .default([]),
  voicemail: z.boolean().default(false),
});
/** Also accepted: a preset's bare number. */
const hoursIn = z.preprocess(
  (v) =>
    typeof v === 'number' || (typeof v === 'string' && /^[1-6]$/.test(v))
      ? { preset: Number(v) }
      : v,
  hours.nullable(),
);

// ---- routes (B §3, A7.1) --------------------------------------------------------------------------------------------

const seconds = (min: number, max: number) =>
  z.coerce
    .number<number>()
    .int()
    .min(min, `At least ${min} seconds.`)
    .max(max, `At most ${max} seconds.`);
const destination = z
  .string()
  .trim()
  .max(120)
  .transform((typed, refine) => {
    const number = destinationNumber(typed);
    if (number === null)
      refine.addIssue({ code: 'custom', message: 'Enter a valid phone number.' });
    return number ?? '';
  });
const phone = z
  .string()
  .trim()
  .max(40)
  .transform((typed, refine) => {
    const number = destinationNumber(typed);
    if (number === null || !number.startsWith('+'))
      refine.addIssue({ code: 'custom', message: 'Enter a valid phone number.' });
    return number ?? '';
  });
const areaCode = z.string().regex(/^[2-9]\d{2}$/, 'Use three digits.');
const stateCode = z.string().regex(/^[A-Z]{2}$/, 'Use two letters.');

export const forward = z.object({
  id,
  label: z.string(),
  number: z.string().nullable(),
  contact_id: id.nullable(),
  user_id: id.nullable(),
  weight: z.number().nullable(),
  timeout: z.number().nullable(),
  schedule: hours.nullable(),
  area_codes: z.array(z.string()),
  states: z.array(z.string()),
  order: z.number(),
  caller_id: z.enum(['pass', 'tracking', 'custom']).nullable(),
  custom_caller_id: z.string().nullable(),
});
export const forwardIn = z
  .object({
    id: id.nullish(),
    label: z.string().trim().max(80).default(''),
    number: destination.nullish(),
    contact_id: id.nullish().meta({
      description:
        'A forwarding contact: its number or person is rung instead of the number given here',
    }),
    user_id: id.nullish(),
    weight: z.coerce
      .number<number>()
      .int()
      .min(1, 'At least 1.')
      .max(100, 'At most 100.')
      .nullish(),
    timeout: seconds(5, 120).nullish(),
    schedule: hoursIn.optional(),
    area_codes: z.array(areaCode).max(400).default([]),
    states: z.array(stateCode).max(60).default([]),
    order: z.coerce.number<number>().int().optional(),
    caller_id: z.enum(['pass', 'tracking', 'custom']).nullish(),
    custom_caller_id: phone.nullish(),
  })
  .superRefine((one, refine) => {
    if (
      !one.contact_id &&
      (one.number === undefined || one.number === null) ===
        (one.user_id === undefined || one.user_id === null)
    )
      refine.addIssue({
        code: 'custom',
        path: ['number'],
        message: 'Enter a phone number, or choose a user or forwarding contact.',
      });
    if (one.caller_id === 'custom' && (one.custom_caller_id ?? '') === '')
      refine.addIssue({
        code: 'custom',
        path: ['custom_caller_id'],
        message: 'Choose one of your own numbers to show.',
      });
  });

/** false, a digit, 65535 star, 65534 pound. `"*"` and `"#"` are understood too. */
export const confirmKey = z.union([
  z.literal(false),
  z.enum(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']),
  z.literal(65_535),
  z.literal(65_534),
]);
export const confirmKeyIn = z.preprocess((v) => {
  if (v === null || v === '' || v === 'false') return false;
  const text = String(v);
  if (text === '*' || text === '65535') return 65_535;
  if (text === '#' || text === '65534') return 65_534;
  return v === false ? false : text;
}, confirmKey);

export const roundRobin = z.enum(['none', 'strict', 'least_recent', 'weighted']);
export const afterHours = z
  .object({
    action: z.enum(['voicemail', 'forward', 'greeting', 'route']),
    target: z.union([z.string(), z.number()]).nullable(),
  })
  .meta({
    description:
      'target: forward → E.164, greeting → the text or a greeting’s ID, route → the other route’s extension, voicemail → null',
  });
const afterHoursIn = z
  .object({
    action: z.enum(['voicemail', 'forward', 'greeting', 'route']),
    target: z.union([z.string().max(1000), z.number().int()]).nullish(),
  })
  .superRefine((one, refine) => {
    const { target } = one;
    const say = (message: string) => refine.addIssue({ code: 'custom', path: ['target'], message });
    if (
      one.action === 'forward' &&
      (typeof target !== 'string' || destinationNumber(target) === null)
    )
      say('Enter a valid phone number.');
    if (
      one.action === 'greeting' &&
      typeof target !== 'number' &&
      (typeof target !== 'string' || target.trim() === '')
    )
      say('Enter what the caller hears, or choose a greeting.');
    if (one.action === 'route' && !/^\d+$/.test(String(target ?? '')))
      say('Choose the other route by its extension.');
  });

export const route = z.object({
  id,
  extension: z.number(),
  label: z.string(),
  type: routeType,
  forwards: z.array(forward),
  business_hours: hours.nullable(),
  stagger: z.boolean(),
  caller_id_pass_thru: z.boolean(),
  confirm_key: confirmKey,
  confirm_key_wait: z.number(),
  timeout: z.number(),
  onhold_music_id: z.number().nullable(),
  geo_by_state_enabled: z.boolean(),
  geo_by_state_static_fallback: z.boolean(),
  confirm_whisper: z.string(),
  email_alert_address: z.array(z.string()),
  voicemail_enabled: z.boolean(),
  voicemail_greeting_id: id.nullable(),
  voicemail_greeting: z.string().nullable(),
  round_robin: roundRobin,
  after_hours: afterHours.nullable(),
  max_attempts: z.number(),
});

const emailsIn = z.preprocess(
  (v) => (typeof v === 'string' ? v.split(/[,;\s]+/).filter((one) => one !== '') : v),
  z.array(z.email('Enter an email address.').max(254)).max(20),
);

/** Left out, a setting has the default the specification gives (B §3). */
export const routeIn = z
  .object({
    id: id.nullish(),
    extension: z.coerce
      .number('Use digits.')
      .int('Use digits.')
      .min(0)
      .max(99_999)
      .default(given.extension),
    label: z.string().trim().max(80).default(given.label),
    type: routeType.default(given.type),
    forwards: z.array(forwardIn).max(50).default([]),
    business_hours: hoursIn.default(null),
    stagger: z.boolean().default(given.stagger),
    caller_id_pass_thru: z.boolean().default(given.caller_id_pass_thru),
    confirm_key: confirmKeyIn.default(given.confirm_key),
    confirm_key_wait: seconds(1, 60).default(given.confirm_key_wait),
    timeout: seconds(5, 120).default(given.timeout),
    onhold_music_id: z.coerce
      .number<number>()
      .int()
      .refine((n) => (n >= 1 && n <= 3) || n >= 1000, 'Choose music from the list.')
      .nullable()
      .default(given.onhold_music_id)
      .meta({
        description:
          'null: ringing, 1 classic, 2 light, 3 upbeat, 1000 and above: a greeting of type hold',
      }),
    geo_by_state_enabled: z.boolean().default(given.geo_by_state_enabled),
    geo_by_state_static_fallback: z.boolean().default(given.geo_by_state_static_fallback),
    confirm_whisper: z.string().trim().max(500).default(given.confirm_whisper),
    email_alert_address: emailsIn.default([]),
    voicemail_enabled: z.boolean().default(given.voicemail_enabled),
    voicemail_greeting_id: id.nullable().default(null),
    voicemail_greeting: z.string().trim().max(1000).nullable().default(null),
    round_robin: roundRobin.default(given.round_robin),
    after_hours: afterHoursIn.nullable().default(null),
  })
  .superRefine((one, refine) => {
    if (one.type === 'simultaneous' && one.forwards.length > 10)
      refine.addIssue({
        code: 'custom',
        path: ['forwards'],
        message: 'A simultaneous route can ring at most 10 destinations.',
      });
    one.forwards.forEach((each, i) => {
      if (one.type === 'in-app-calling' && each.number)
        refine.addIssue({
          code: 'custom',
          path: ['forwards', i, 'number'],
          message: 'In-app calling rings people in the app, not phone numbers.',
        });
    });
  });

/** Routes of a number as sent: cleaned by B §5 first, one per extension. */
export const routesIn = z.preprocess(
  cleanExtensionEntries,
  z
    .array(routeIn)
    .max(100)
    .superRefine((routes, refine) => {
      const seen = new Set<number>();
      routes.forEach((one, i) => {
        if (seen.has(one.extension))
          refine.addIssue({
            code: 'custom',
            path: [i, 'extension'],
            message: `Extension ${one.extension} is used twice.`,
          });
        seen.add(one.extension);
      });
      routes.forEach((one, i) => {
        if (one.after_hours?.action !== 'route') return;
        const target = Number(one.after_hours.target);
        if (!seen.has(target) || target === one.extension)
          refine.addIssue({
            code: 'custom',
            path: [i, 'after_hours', 'target'],
            message: 'Choose another route of this number.',
          });
      });
    }),
);

export type Route = z.infer<typeof route>;
export type RouteIn = z.infer<typeof routeIn>;
export type ForwardIn = z.infer<typeof forwardIn>;
export type HoursShape = z.infer<typeof hours>;

/** What a caller meets on this number before any route: the menu's words, and where those go who choose nothing. */
export const menu = z.object({
  greeting: z
    .string()
    .max(1000)
    .nullable()
    .meta({ description: 'null: generated from the routes’ labels' }),
  greeting_id: id.nullish().meta({ description: 'A greeting from the library instead of text' }),
  fallback: z
    .union([z.literal('voicemail'), z.number().int()])
    .nullable()
    .meta({
      description: 'An extension, or voicemail; null: voicemail if it’s on, else the first route',
    }),
});

// ---- simulation (A7.2) ----------------------------------------------------------------------------------------------

const reaction = z.enum(['answers', 'no answer', 'busy', 'declines', 'no key']);
export const simulationIn = z.object({
  from: z
    .string()
    .trim()
    .max(40)
    .default('')
    .refine(
      (from) => from === '' || /^anonymous$/i.test(from) || normalizePhone(from) !== null,
      'Enter a phone number, or leave it empty for a withheld number.',
    )
    .meta({ description: 'Caller in E.164; empty: withheld' }),
  at: z.iso
    .datetime({ offset: true, message: 'Use an ISO-8601 timestamp.' })
    .optional()
    .meta({ description: 'Time of the call; now by default' }),
  pressed: z
    .array(z.coerce.string().regex(/^[\d*#]{1,10}$/, 'Use digits, * and #.'))
    .max(20)
    .default([]),
  routes: routesIn.optional().meta({ description: 'Test these routes instead of the saved ones' }),
  menu: menu.optional().meta({ description: 'Test this menu instead of the saved one' }),
  draft: z.boolean().optional().meta({ description: 'Test the draft, if there is one' }),
  version: z.number().int().positive().optional().meta({ description: 'Test an earlier version' }),
  answers: z
    .union([reaction, z.record(z.string().max(140), reaction)])
    .default('answers')
    .meta({
      description:
        'What every destination does, or what each does by key (E.164, SIP address, `user:7`), where `*` means all others',
    }),
});
export const simulation = z.object({
  outcome: z.enum([
    'connected',
    'voicemail',
    'no_answer',
    'rejected',
    'missed',
    'abandoned',
    'blocked',
  ]),
  status: z.number(),
  steps: z.array(
    z.object({
      i: z.number(),
      at: z.string(),
      node: z.string(),
      rule: z.string(),
      matched: z.boolean(),
      because: z.string(),
      target: z.string().nullable(),
      duration: z.number(),
      extension: z.number().nullable().meta({ description: 'The route the call is in' }),
    }),
  ),
  warnings: z.array(z.string()),
});
export type SimulationAnswer = z.infer<typeof simulation>;

export const simulateNumber = endpoint({
  name: 'simulateNumber',
  method: 'POST',
  path: '/numbers/{id}/simulate',
  summary:
    'Simulate a call: every step with its reason, decided by the live engine. Nothing is saved',
  permission: 'routing.view',
  company: 'object',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: simulationIn,
  answer: one(simulation),
  example: {
    params: { id: 1 },
    body: { from: '+12125550147', at: '2026-11-18T17:00:00Z', pressed: ['1'] },
    answer: {
      data: {
        outcome: 'connected',
        status: 12,
        steps: [
          {
            i: 0,
            at: '2026-11-18T17:00:00.000Z',
            node: 'start',
            rule: 'inbound call',
            matched: true,
            because: '(212) 555-0147 calls Main.',
            target: '+14155552368',
            duration: 0,
            extension: null,
          },
        ],
        warnings: [],
      },
    },
  },
});

/** Routes or menu of a number were changed. */
export const routingChanged = event({
  name: 'routing.changed',
  channel: 'companies',
  data: z.object({ companyId: id, numberId: id }),
  touches: ['getNumber', 'listNumbers', 'listNumbersDatatable'],
  about: ['numberId'],
});

// ---- a number with its routes (A6.1) --------------------------------------------------------------------------------

export const numberWithRoutes = numberDetail.extend({ routes: z.array(route), menu });
export type NumberWithRoutes = z.infer<typeof numberWithRoutes>;
const routeExample: Route = {
  id: 7,
  extension: 1,
  label: '',
  type: 'standard',
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
  voicemail_enabled: false,
  voicemail_greeting_id: null,
  voicemail_greeting: null,
  round_robin: 'none',
  after_hours: null,
  max_attempts: 1,
};
const withRoutes: NumberWithRoutes = {
  ...exampleNumber,
  forwardNumber: '+12125550147',
  routes: [routeExample],
  menu: { greeting: null, fallback: null },
};

export const getNumber = endpoint({
  name: 'getNumber',
  method: 'GET',
  path: '/numbers/{id}',
  summary: 'Get one number with its settings and routes',
  permission: 'numbers.view',
  company: 'object',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  answer: one(numberWithRoutes),
  example: { params: { id: 11 }, answer: { data: withRoutes } },
});

/** What is left out stays as it is. `routes` are all of the number's routes: one that is not named goes. */
export const updateNumberIn = numberPatch.extend({
  routes: routesIn.optional(),
  menu: menu.partial().optional(),
  routingType: routeType
    .optional()
    .meta({ description: 'Shorthand for the type of the first route' }),
  forwardNumber: destination
    .nullable()
    .optional()
    .meta({ description: 'Shorthand for the only destination of the first route; null: none' }),
});
export const updateNumber = endpoint({
  name: 'updateNumber',
  method: 'PUT',
  path: '/numbers/{id}',
  summary: 'Update a number’s settings and routes',
  permission: 'numbers.configure',
  company: 'object',
  object: { table: 'number', param: 'id' },
  params: z.object({ id }),
  body: updateNumberIn,
  answer: one(numberWithRoutes),
  etagOf: 'getNumber',
  example: {
    params: { id: 11 },
    body: {
      label: 'Front desk',
      routes: [{ extension: 1, type: 'standard', forwards: [{ number: '+12125550147' }] }],
    },
    answer: { data: withRoutes },
  },
});
