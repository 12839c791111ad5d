import { emailAddress } from '../../email-address.ts';
import { z } from 'zod';
import { id } from '../../schemas.ts';
import {
  cleanExtensionEntries,
  destinationNumber,
  routeBounds,
  routeDefaults as given,
} from '../rules.ts';
import { hours, routeType } from './hours.ts';

/** A preset; its bare number is accepted, too. */
const hoursIn = z.preprocess(
  (v) =>
    typeof v === 'number' || (typeof v === 'string' && /^[1-6]$/.test(v))
      ? { preset: Number(v) }
      : v,
  hours.nullable(),
);

const seconds = ([min, max]: readonly [number, number]) =>
  z.coerce
    .number<number>()
    .int()
    .min(min, `At least ${min} seconds.`)
    .max(max, `At most ${max} seconds.`);

export const destination = z
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
  team_id: id.nullable(),
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
    team_id: id.nullish().meta({
      description: 'A team: its people at the time of the call are rung, each as if named here',
    }),
    weight: z.coerce
      .number<number>()
      .int()
      .min(routeBounds.weight[0], 'At least 1.')
      .max(routeBounds.weight[1], 'At most 100.')
      .nullish(),
    timeout: seconds(routeBounds.timeout).nullish(),
    schedule: hoursIn.optional(),
    area_codes: z.array(areaCode).max(400).default([]),
    states: z.array(stateCode).max(60).default([]),
    order: z.coerce.number<number>().int().optional(),
    caller_id: z.enum(['pass', 'tracking', 'custom']).nullish(),
    custom_caller_id: phone.nullish(),
  })
  .superRefine((one, refine) => {
    const given = [one.number, one.user_id, one.team_id].filter(
      (destination) => destination !== undefined && destination !== null,
    );
    if (!one.contact_id && given.length !== 1)
      refine.addIssue({
        code: 'custom',
        path: ['number'],
        message: 'Enter a phone number, or choose a user, team or forwarding contact.',
      });
    if (one.caller_id === 'custom' && (one.custom_caller_id ?? '') === '')
      refine.addIssue({
        code: 'custom',
        path: ['custom_caller_id'],
        message: 'Choose one of your own numbers to show.',
      });
  });

/** false, a digit, 65535 for star or 65534 for pound. `"*"` and `"#"` are accepted, too. */
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

const roundRobin = z.enum(['none', 'strict', 'least_recent', 'weighted']);

const afterHours = z
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
  z.array(emailAddress).max(20),
);

/** Absent settings have the defaults of B §3. */
export const routeIn = z
  .object({
    id: id.nullish(),
    extension: z.coerce
      .number('Use digits.')
      .int('Use digits.')
      .min(routeBounds.extension[0])
      .max(routeBounds.extension[1])
      .default(given.extension),
    label: z.string().trim().max(80).default(given.label),
    type: routeType.default(given.type),
    forwards: z.array(forwardIn).max(50).default([]),
    business_hours: hoursIn.default(null),
    stagger: z.boolean().default(given.stagger),
    caller_id_pass_thru: z.boolean().default(given.caller_id_pass_thru),
    confirm_key: confirmKeyIn.default(given.confirm_key),
    confirm_key_wait: seconds(routeBounds.confirm_key_wait).default(given.confirm_key_wait),
    timeout: seconds(routeBounds.timeout).default(given.timeout),
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

/** Routes of a number in requests: cleaned by B §5, one per extension. */
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

export type HoursShape = z.infer<typeof hours>;

/** The menu before the routes: its greeting, and the destination of callers who choose nothing. */
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
