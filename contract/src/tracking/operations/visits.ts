import { z } from 'zod';
import { operation } from '../../operation.ts';
import { instant, one } from '../../schemas.ts';

const at = '2026-11-21T09:15:04.000Z';
const until = '2026-11-21T09:45:04.000Z';

const companyKey = z.string().min(1).max(100);
const token = z.string().min(1).max(200);
const url = z.string().trim().min(1, 'Enter an address.').max(8192, 'At most 8,192 characters.');

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
    }),
  ),
  heartbeat: z.number().meta({ description: 'Seconds between heartbeats; 0: none' }),
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
    targets: z.array(z.string().max(40)).max(50).default([]),
    consent: z.boolean().optional().meta({ description: 'Whether the visitor agreed' }),
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
    }),
  ),
  errors: ['visit.unknown_session', 'visit.wrong_site'],
  example: {
    body: { sessionId: '1-c8-Ux2m9aQpLk3F' },
    answer: { data: { isLive: true, expiresAt: at } },
  },
});
