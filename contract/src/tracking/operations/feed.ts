import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id } from '../../schemas.ts';
import { feedSize, feedTypes } from '../feed-rules.ts';
import { feedRow } from '../feed-schemas.ts';

export const realTimeFeed = operation({
  summary: `What happened on the company’s websites and because of them: the last ${feedSize}, the newest first. New ones follow as \`dni-feed\``,
  params: z.object({ companyId: id }),
  query: z.object({
    types: z
      .preprocess(
        (said) => (typeof said === 'string' ? said.split(',').filter(Boolean) : said),
        z.array(z.enum(feedTypes)).max(feedTypes.length).optional(),
      )
      .meta({ description: `Only these, separated by commas: ${feedTypes.join(', ')}` }),
    poolId: id.optional(),
    source: z.string().max(100).optional().meta({ description: 'The key of a source' }),
    site: z
      .string()
      .max(255)
      .optional()
      .meta({ description: 'A website: its host, with the port unless it is the usual one' }),
  }),
  answer: z.object({ data: z.array(feedRow) }),
  example: {
    params: { companyId: 1 },
    answer: {
      data: [
        {
          id: 'swap-412',
          at: '2026-11-21T09:15:05.000Z',
          type: 'swap',
          poolId: 7,
          number: '+12125552361',
          source: { key: 'google_ads', label: 'Google Ads' },
          campaign: 'implants-manhattan',
          page: 'https://www.harbordental.example/implants',
          region: 'US-NY',
          device: 'mobile',
          sessionId: 412,
          caller: null,
          subjectId: null,
        },
      ],
    },
  },
});
