import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { campaignExample, eventExample, ofCampaign, previewExample } from '../examples.ts';
import { campaignStatusKeys, eventFlags } from '../rules.ts';
import { campaign, campaignEvent, campaignPreview, given, include, params } from '../schemas.ts';

const sorts = [
  'title',
  'state',
  'should_be_sent_at',
  'created_at',
  'updated_at',
  'started_at',
  'sent_count',
  'delivered_count',
  'undelivered_count',
  'responded_count',
  'unsubscriber_count',
] as const;

const filter = z
  .union([
    z.string().max(200),
    z
      .object({ search: z.string().max(200).optional(), status: z.string().max(30).optional() })
      .transform((f) => f.status ?? f.search ?? ''),
  ])
  .optional();

export const listCampaigns = operation({
  summary:
    'List campaigns, newest first. `filter` is a status (Draft, Scheduled, In Progress …) or words in the title or text',
  paged: true,
  errors: ['role.forbidden'],
  query: listQuery(
    {
      include,
      filter,
      sort: sortBy(...sorts),
      status: z.enum(campaignStatusKeys as [string, ...string[]]).optional(),
      search: z.string().trim().max(200).optional(),
      withTrashed: flag
        .optional()
        .meta({ description: 'Include deleted campaigns (administrators)' }),
    },
    { perPage: 13 },
  ),
  answer: pageOf(campaign),
  example: {
    query: { company_id: 1, size: 13, include: ['groups'], filter: 'Draft' },
    answer: { data: [campaignExample] },
  },
});

export const getCampaign = operation({
  summary: 'Get one campaign',
  object: ofCampaign,
  params,
  query: given,
  answer: one(campaign),
  example: { params: { id: 610 }, answer: { data: campaignExample } },
});

export const listCampaignEvents = operation({
  summary: 'List the recipients of a campaign and their results, ten per page',
  object: ofCampaign,
  paged: true,
  params,
  query: listQuery(
    { search: z.string().trim().max(100).optional(), status: z.enum(eventFlags).default('all') },
    { perPage: 10 },
  ),
  answer: pageOf(campaignEvent),
  example: {
    params: { id: 610 },
    query: { status: 'delivered', size: 10 },
    answer: { data: [eventExample] },
  },
});

export const previewCampaign = operation({
  summary: 'Preview a campaign: recipients, exclusions, cost, message text and finish time',
  object: ofCampaign,
  params,
  query: z.object({ ...companyIn }),
  answer: one(campaignPreview),
  example: { params: { id: 610 }, answer: { data: previewExample } },
});
