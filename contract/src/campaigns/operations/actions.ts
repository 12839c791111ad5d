import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, one } from '../../schemas.ts';
import { at, campaignExample, eventExample, ofCampaign, previewExample } from '../examples.ts';
import {
  campaign,
  type Campaign,
  campaignPreview,
  idList,
  nullable,
  params,
  quietHours,
} from '../schemas.ts';

const going: Campaign = {
  ...campaignExample,
  state: 'sending',
  status: 'in_progress',
  started: true,
  started_at: at,
  total_count: 420,
  pending_count: 200,
  sent_count: 190,
  delivered_count: 180,
  skipped_count: 18,
  failed_count: 8,
  unsubscriber_count: 2,
  credits_used: 190,
  joined_since: 0,
};

const halted: Campaign = {
  ...going,
  state: 'paused',
  status: 'paused',
  paused_reason: 'by_hand',
  paused_at: at,
  paused_by: { id: 5, name: 'Una User' },
};

const bare = z.object({ ...companyIn }).optional();

export const pauseCampaign = operation({
  summary: 'Pause a campaign immediately. Messages already at the carrier will still go out',
  object: ofCampaign,
  errors: ['campaign.not_pausable'],
  params,
  body: bare,
  answer: one(campaign),
  example: { params: { id: 610 }, answer: { data: halted } },
});

export const resumeCampaign = operation({
  summary:
    'Resume a campaign for the remaining recipients. `retry_failed` retries those the carrier rejected for a temporary reason. Each recipient receives it once at most',
  object: ofCampaign,
  errors: [
    'campaign.not_resumable',
    'campaign.confirm_resume',
    'campaign.too_old',
    'campaign.too_large',
  ],
  params,
  body: z.object({
    mode: z.enum(['continue', 'retry_failed']).default('continue'),
    deliverAt: z.preprocess(
      (v) => (v === '' ? null : v),
      z.iso.datetime({ offset: true, message: 'Enter a date and time.' }).nullable().optional(),
    ),
    confirm: flag
      .optional()
      .meta({ description: 'Required when it was paused for more than 7 days' }),
    ...companyIn,
  }),
  answer: one(campaign),
  example: { params: { id: 610 }, body: { mode: 'continue' }, answer: { data: going } },
});

export const cancelCampaign = operation({
  summary: 'Cancel a campaign permanently. Remaining recipients receive nothing',
  object: ofCampaign,
  errors: ['campaign.not_cancelable'],
  params,
  body: bare,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    answer: { data: { ...halted, state: 'canceled', status: 'canceled' } },
  },
});

export const duplicateCampaign = operation({
  summary: 'Duplicate a campaign as a draft with the same text, files, group and number',
  object: ofCampaign,
  status: 201,
  params,
  body: bare,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    answer: { data: { ...campaignExample, id: 611, title: 'Whitening week (copy)' } },
  },
});

export const approveCampaign = operation({
  summary: 'Approve a campaign that a user wants to send, when the company requires approval',
  object: ofCampaign,
  errors: ['campaign.not_approvable', 'campaign.too_large'],
  params,
  body: bare,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    answer: {
      data: {
        ...campaignExample,
        state: 'queued',
        status: 'in_progress',
        approval: {
          state: 'approved',
          asked_by: { id: 5, name: 'Una User' },
          approved_by: { id: 2, name: 'Adam Administrator' },
        },
      },
    },
  },
});

export const testCampaign = operation({
  summary: 'Send a test text to up to five of your phones, as the first recipient would read it',
  object: ofCampaign,
  errors: [
    'contact.unsubscribed',
    'contact.blocked',
    'number.not_verified',
    'number.no_sms',
    'number.gone',
  ],
  params,
  body: z.object({
    to: z
      .array(z.string().trim().max(40))
      .min(1, 'Enter a phone number.')
      .max(5, 'Enter at most five phone numbers.'),
    ...companyIn,
  }),
  answer: one(
    z.object({
      sent: z.array(z.object({ number: z.string(), item_id: id, conversation_id: id })),
      text: z.string(),
    }),
  ),
  example: {
    params: { id: 610 },
    body: { to: ['+12125550147'] },
    answer: {
      data: {
        sent: [{ number: '+12125550147', item_id: 7002, conversation_id: 9001 }],
        text: eventExample.text,
      },
    },
  },
});

export const previewUnsaved = operation({
  summary: 'Preview a campaign that is still being edited',
  body: z.object({
    text: z.string().max(4000).default(''),
    unsubscribe_text: z.string().max(1000).default(''),
    title: z.string().max(120).default(''),
    groups: idList,
    number_id: nullable(id),
    should_be_sent_at: nullable(z.iso.datetime({ offset: true })),
    with_media: flag.default(false),
    timezone: nullable(z.string().max(60)),
    quiet_hours: nullable(quietHours),
    ...companyIn,
  }),
  answer: one(campaignPreview),
  example: {
    body: {
      company_id: 1,
      title: 'Whitening week',
      text: 'Hi {{first_name|there}}',
      unsubscribe_text: 'Reply STOP to stop.',
      groups: [31],
      number_id: 12,
    },
    answer: { data: previewExample },
  },
});
