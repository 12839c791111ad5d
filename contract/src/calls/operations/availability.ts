import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, instant, one } from '../../schemas.ts';
import { availability } from '../availability.ts';

export const getAvailability = operation({
  lane: 'calls',
  summary: 'Get whether the signed-in person has do not disturb on, and why calls don’t ring now',
  query: z.object({ ...companyIn }),
  answer: one(availability),
  example: {
    query: { company_id: 1 },
    answer: { data: { do_not_disturb: false, do_not_disturb_until: null, pause: null } },
  },
});

export const setDoNotDisturb = operation({
  lane: 'calls',
  summary:
    'Turn do not disturb on or off. While it’s on, no call rings you, nothing is pushed to you, and emails wait until it ends',
  body: z.object({
    on: flag,
    until: instant.nullish().meta({
      description: 'When it turns off, at most 31 days ahead; null: when you turn it off',
    }),
    ...companyIn,
  }),
  answer: one(availability),
  example: {
    body: { company_id: 1, on: true },
    answer: {
      data: {
        do_not_disturb: true,
        do_not_disturb_until: null,
        pause: { reason: 'do_not_disturb', until: null },
      },
    },
  },
});
