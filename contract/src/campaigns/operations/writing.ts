import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../schemas.ts';
import { campaignExample, ofCampaign } from '../examples.ts';
import { campaign, given, idList, include, nullable, params, quietHours } from '../schemas.ts';

const errors = [
  'campaign.not_editable',
  'campaign.confirm_text',
  'campaign.too_large',
  'role.forbidden',
  'message.media_too_large',
  'message.media_too_many',
  'message.media_unknown',
  'campaign.confirm_resume',
  'campaign.too_old',
  'campaign.not_resumable',
] as const;

/**
 * Files are sent as multipart `media[]`. If `media[]` or `keep_media[]` is present, together they
 * replace the list of files; otherwise it is unchanged.
 */
const form = {
  title: z.string().trim().max(120, 'At most 120 characters.'),
  text: z.string().max(4000),
  unsubscribe_text: z.string().max(1000),
  skip_inbox: flag,
  groups: idList,
  number_id: nullable(id),
  should_be_sent_at: nullable(z.iso.datetime({ offset: true, message: 'Enter a date and time.' })),
  state: z.enum(['draft', 'queued'], 'Send state draft or queued.'),
  type: z.literal('sms', 'Send type sms.'),
  include,
  dynamic_fields: z
    .unknown()
    .meta({ description: 'Accepted; the response lists the tags the text really uses' }),
  media: z.array(z.unknown()).max(0, 'Send files as multipart media[].'),
  keep_media: idList.meta({ description: 'IDs of the `media_files` to keep' }),
  timezone: z.string().max(60),
  quiet_hours: quietHours,
  resume_next_day: flag,
  confirm: flag.meta({
    description: 'Confirm changing the text although some recipients received the previous version',
  }),
  _method: z.string(),
  ...companyIn,
};

const patch = z.object(form).partial();

export const createCampaign = operation({
  summary:
    'Create a campaign: a draft (needs a title), or `state` queued to send it now or at its scheduled time',
  status: 201,
  errors,
  query: given,
  body: patch.extend({ title: form.title.min(1, 'Enter a title for the campaign.') }),
  answer: one(campaign),
  example: {
    body: {
      company_id: 1,
      title: 'Whitening week',
      text: 'Hi {{first_name|there}}, whitening is 20% off until Friday.',
      unsubscribe_text: 'Reply STOP to stop.',
      groups: [31],
      number_id: 12,
      state: 'draft',
      type: 'sms',
      skip_inbox: false,
    },
    answer: { data: campaignExample },
  },
});

export const updateCampaign = operation({
  summary:
    'Update a campaign, as multipart with `_method` PATCH. `state` queued sends it, or resumes a paused one',
  object: ofCampaign,
  errors,
  etagOf: 'getCampaign',
  params,
  query: given,
  body: patch.extend({ _method: z.string().regex(/^(patch|put)$/i, 'Send _method=PATCH.') }),
  answer: one(campaign),
  example: {
    params: { id: 610 },
    body: { _method: 'patch', title: 'Whitening week 2' },
    answer: { data: { ...campaignExample, title: 'Whitening week 2' } },
  },
});

export const patchCampaign = operation({
  summary: 'Same as POST with `_method`',
  object: ofCampaign,
  errors,
  etagOf: 'getCampaign',
  params,
  query: given,
  body: patch,
  answer: one(campaign),
  example: {
    params: { id: 610 },
    body: { skip_inbox: true },
    answer: { data: { ...campaignExample, skip_inbox: true } },
  },
});

export const deleteCampaign = operation({
  summary: 'Delete a campaign. Pause or cancel it first if it’s in progress',
  object: ofCampaign,
  status: 204,
  errors: ['campaign.not_deletable'],
  params,
  answer: empty,
  example: { params: { id: 610 } },
});
