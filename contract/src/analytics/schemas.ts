import { z } from 'zod';

/**
 * Inbound calls. Seconds are averages over answered calls; `answer_rate` is the percentage answered
 * of those not blocked.
 */
export const figures = {
  total: z.number(),
  answered: z.number(),
  missed: z.number(),
  voicemail: z.number(),
  blocked: z.number(),
  unique_callers: z.number(),
  first_time: z.number().meta({ description: 'From people who had never been in contact before' }),
  avg_duration: z.number().meta({ description: 'Talk time in seconds' }),
  total_minutes: z.number(),
  answer_rate: z.number(),
  avg_ring: z.number().meta({ description: 'Seconds until the call was answered' }),
  qualified: z.number(),
  leads: z.number(),
  messages: z.number().meta({ description: 'Texts in both directions' }),
};

export const period = z.object(figures);

export type PeriodFigures = z.infer<typeof period>;

/** One bar of a sparkline on the home page. */
export const seriesPoint = z.object({
  at: z.string().meta({ description: 'A day, or an hour of it: 2026-11-21, 2026-11-21T09:00' }),
  total: z.number(),
  answer_rate: z.number().nullable().meta({ description: 'null where no call could be answered' }),
  missed: z.number(),
  first_time: z.number(),
  messages: z.number(),
});

export type SeriesPoint = z.infer<typeof seriesPoint>;

/** Counting stops at a cap; `total_is_capped` is true when it was reached. */
export const waitingCount = z.object({ total: z.number(), total_is_capped: z.boolean() });

export type WaitingCount = z.infer<typeof waitingCount>;
