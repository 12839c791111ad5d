import { z } from 'zod';
import { operation } from '../../operation.ts';
import { instant, one } from '../../schemas.ts';
import { setupChecks } from './rules.ts';

const finding = z.object({
  found: z.string(),
  fix: z.string().nullable().meta({ description: 'What to do next; null: this is right' }),
});

export const runSetupCheck = operation({
  summary:
    'Test one part of the installation now, from the server; for platform staff. `mail` sends an email to who asks, `files` writes a file and deletes it; nothing else changes and no result is stored',
  reads: true,
  params: z.object({ check: z.enum(setupChecks) }),
  body: z.object({
    opened: z
      .string()
      .max(300)
      .optional()
      .meta({ description: 'Origin that the browser shows, for `address`' }),
    time: instant.optional().meta({ description: 'The browser’s time, for `clock`' }),
  }),
  answer: one(z.object({ check: z.enum(setupChecks), findings: z.array(finding), at: instant })),
  example: {
    params: { check: 'disk' },
    body: {},
    answer: {
      data: {
        check: 'disk',
        findings: [{ found: '212 GB of 320 GB are free on the disk of /data.', fix: null }],
        at: '2026-11-25T09:15:04.000Z',
      },
    },
  },
});
