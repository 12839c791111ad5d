import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, instant, one } from '../../schemas.ts';
import { eventDataLimits, hitsPerVisit } from '../hit-rules.ts';

const at = '2026-11-21T09:15:04.000Z';
const until = '2026-11-21T09:45:04.000Z';

const companyKey = z.string().min(1).max(100);
const token = z.string().min(1).max(200);
const url = z.string().trim().min(1, 'Enter an address.').max(8192, 'At most 8,192 characters.');

const text = (max: number) => z.string().trim().max(max, `At most ${max} characters.`);
/** Values by name; those that no pool asks for are left out. */
const captured = z
  .record(text(100), z.string().max(8192, 'At most 8,192 characters.'))
  .refine((values) => Object.keys(values).length <= 50, 'At most 50.');
const cookies = captured
  .optional()
  .meta({ description: 'Of the cookies that `capture.cookies` names, those the page has' });

const visit = z.object({
  visitorId: z.string().nullable().meta({ description: 'Keep it for the visitor’s next visit' }),
  sessionId: z.string().nullable().meta({
    description: 'Names this visit in heartbeats; null: nothing is stored of it',
  }),
  swaps: z.array(
    z.object({
      target: z.string(),
      number: z.string(),
      display: z.object({ national: z.string(), international: z.string(), e164: z.string() }),
      expiresAt: instant.nullable(),
      selectors: z.array(z.string()).optional().meta({
        description: 'CSS selectors of the only elements to change; none: anywhere',
      }),
    }),
  ),
  heartbeat: z.number().meta({ description: 'Seconds between heartbeats; 0: none' }),
  capture: z
    .object({ cookies: z.array(z.string()) })
    .meta({ description: 'Names of the cookies to send with the next call' }),
  links: z
    .object({
      domains: z.array(z.string()).meta({ description: 'The company’s other websites' }),
      token: z.string(),
    })
    .optional()
    .meta({
      description:
        'Links to these websites carry `_dni` with this token, good once and for two minutes, so that the visitor stays the same one',
    }),
  extras: z
    .boolean()
    .optional()
    .meta({ description: 'The script loads `extras.js` for `links` or `test`' }),
  test: z
    .array(z.string())
    .optional()
    .meta({ description: 'What a page with `dni_test` in its address says, line by line' }),
});

export const openVisit = operation({
  summary:
    'A visitor opened a page: which numbers it shows. Called by the script on the page, from a website of a pool',
  limit: 'visits',
  body: z.object({
    companyKey,
    visitorId: z.string().max(64).nullish(),
    sessionId: token.nullish(),
    url,
    referrer: z.string().trim().max(8192, 'At most 8,192 characters.').nullish(),
    params: captured
      .optional()
      .meta({ description: 'Parameters of the visit that aren’t in its address' }),
    cookies,
    targets: z.array(z.string().max(40)).max(50).default([]),
    consent: z.boolean().optional().meta({ description: 'Whether the visitor agreed' }),
    version: z
      .string()
      .regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/)
      .optional()
      .meta({ description: 'Of the script' }),
    page: z.number().optional().meta({
      description: 'Names this load of the page, which may use the `_dni` of its address again',
    }),
  }),
  answer: one(visit),
  errors: ['visit.unknown_key', 'visit.wrong_site'],
  example: {
    body: {
      companyKey: '1-kV3o8q0bXw2Z',
      url: 'https://www.harbordental.example/implants',
      targets: ['+12125552300'],
    },
    answer: {
      data: {
        visitorId: 'o7Jt1o2yS3G3l0QW7hJ0nA',
        sessionId: '1-c8-Ux2m9aQpLk3F',
        swaps: [
          {
            target: '+12125552300',
            number: '+12125552361',
            display: {
              national: '(212) 555-2361',
              international: '+1-212-555-2361',
              e164: '+12125552361',
            },
            expiresAt: until,
          },
        ],
        heartbeat: 60,
        capture: { cookies: ['_ga'] },
      },
    },
  },
});

export const continueVisit = operation({
  summary:
    'The page is still open: its number stays. After a visit ended, open a new one. Called by the script on the page',
  limit: 'visits',
  body: z.object({ sessionId: token, url: url.nullish() }),
  answer: one(
    z.object({
      isLive: z.boolean().meta({ description: 'False: the visit is over, so open a new one' }),
      expiresAt: instant.nullable(),
      link: z
        .string()
        .optional()
        .meta({ description: 'A new token for links to the company’s other websites' }),
    }),
  ),
  errors: ['visit.unknown_session', 'visit.wrong_site'],
  example: {
    body: { sessionId: '1-c8-Ux2m9aQpLk3F' },
    answer: { data: { isLive: true, expiresAt: at } },
  },
});

export const addPageView = operation({
  summary: `The visitor looks at a page. Counted within a second, up to ${hitsPerVisit} a visit; why one isn’t counted is at the pool. Called by the script on the page`,
  status: 204,
  limit: 'visits',
  body: z.object({
    sessionId: token,
    url,
    title: z.string().trim().max(1000, 'At most 1,000 characters.').nullish(),
    cookies,
    swapped: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .meta({ description: 'How many places of the page show a visitor’s number' }),
  }),
  answer: empty,
  errors: ['visit.unknown_session', 'visit.wrong_site'],
  example: {
    body: {
      sessionId: '1-c8-Ux2m9aQpLk3F',
      url: 'https://www.harbordental.example/contact',
      title: 'Contact us',
    },
  },
});

const eventValue = z.union([
  z.string().max(eventDataLimits.characters, `At most ${eventDataLimits.characters} characters.`),
  z.number(),
  z.boolean(),
  z.null(),
]);

export const addVisitEvent = operation({
  summary: `Something happened on the page that the website wants to tell of, such as a form that was sent. Up to ${hitsPerVisit} a visit. Called by the script on the page`,
  status: 204,
  limit: 'visits',
  body: z.object({
    sessionId: token,
    name: z
      .string()
      .trim()
      .regex(/^[a-z]\w{0,39}$/i, 'Start with a letter; letters, digits and _, at most 40.'),
    url: url.nullish(),
    data: z
      .record(text(40), eventValue)
      .refine(
        (values) => Object.keys(values).length <= eventDataLimits.keys,
        `At most ${eventDataLimits.keys}.`,
      )
      .default({}),
  }),
  answer: empty,
  errors: ['visit.unknown_session', 'visit.wrong_site'],
  example: {
    body: {
      sessionId: '1-c8-Ux2m9aQpLk3F',
      name: 'form_sent',
      url: 'https://www.harbordental.example/contact',
      data: { form: 'Appointment' },
    },
  },
});
