import { z } from 'zod';
import { routeTypes } from '../rules.ts';
import { canonicalZone, overlapIn, weekdayNames } from '../schedules/rules.ts';

export const routeType = z.enum(routeTypes).meta({ description: 'Forwarding type' });

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
