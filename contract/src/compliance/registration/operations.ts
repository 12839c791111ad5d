import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { registrationStatuses } from './lists.ts';
import {
  check,
  kind,
  numberIds,
  verification,
  type Verification,
  verificationBody,
  verificationDetail,
  type VerificationDetail,
} from './schemas.ts';

const place = z.object({ companyId: id });

const one_ = place.extend({ id });

const brandExample = {
  id: 61,
  is_draft: false,
  status: 'approved' as const,
  type: 'private' as const,
  legal_name: 'Harbor Dental LLC',
  dba: 'Harbor Dental',
  ein: '121234567',
  registration_id_type: null,
  registration_id: '',
  stock_exchange: null,
  stock_symbol: '',
  industry: 'healthcare' as const,
  website: 'https://harbor-dental.test',
  email: 'hello@harbor-dental.test',
  phone: '+12125552300',
  support_email: 'hello@harbor-dental.test',
  support_phone: '+12125552300',
  address: { line1: '1 Harbor Street', city: 'New York', state: 'NY', zip: '10001', country: 'US' },
  contact: {
    first_name: 'Olive',
    last_name: 'Owner',
    title: 'Owner',
    email: 'owner@harbor-dental.test',
    phone: '+12125552300',
  },
  score: 64,
  rejection: [],
};

const example: Verification = {
  id: 71,
  brand: brandExample,
  campaign: {
    id: 71,
    brand_id: 61,
    use_case: 'CUSTOMER_CARE',
    sub_usecases: [],
    description: 'Appointment reminders and answers to questions of patients of the practice.',
    sample_messages: [
      'Harbor Dental: your visit is on Tuesday at 10:30. Reply STOP to stop.',
      'Harbor Dental: your invoice is ready at the desk. Reply STOP to stop.',
    ],
    optins: [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the reception desk.',
        url: '',
        keywords: ['JOIN'],
        supporting_files: [],
      },
    ],
    opt_in_message: 'Harbor Dental: you will get reminders. Reply STOP to stop.',
    opt_out_message: 'Harbor Dental: you will get no more texts.',
    help_message: 'Harbor Dental: call (212) 555-2300.',
    has_links: false,
    has_phone_numbers: false,
    age_gated: false,
    affiliate_marketing: false,
    direct_lending: false,
    privacy_url: 'https://harbor-dental.test/privacy',
    terms_url: '',
    monthly_volume: '10,001-25,000',
    numbers: [
      { id: 11, number: '+12125552350', label: 'Reminders', type: 'local', status: 'approved' },
    ],
  },
  status: { local: 'approved', toll_free: null },
  fees: {
    due_today: 0,
    due_today_cents: 0,
    monthly_cents: 1000,
    currency: 'USD',
    lines: [{ label: 'Campaign, monthly', cents: 1000, when: 'monthly' }],
  },
  rates: { local: 120, toll_free: null },
  is_draft: false,
  is_submitted: true,
  rejection: [],
  submitted_at: '2026-11-21T09:15:04.000Z',
  decided_at: '2026-11-21T09:16:04.000Z',
  created_at: '2026-11-21T09:10:04.000Z',
  updated_at: '2026-11-21T09:16:04.000Z',
};

const detailExample: VerificationDetail = {
  ...example,
  history: [
    {
      id: 81,
      at: '2026-11-21T09:16:04.000Z',
      what: 'approved',
      kind: 'local',
      by: 'Carrier',
      rejection: [],
      numbers: [],
    },
  ],
};

const bodyExample = {
  brand: {
    type: 'private',
    legal_name: 'Harbor Dental LLC',
    dba: 'Harbor Dental',
    ein: '12-1234567',
    industry: 'healthcare',
    website: 'https://harbor-dental.test',
    email: 'hello@harbor-dental.test',
    phone: '+12125552300',
    address: brandExample.address,
    contact: brandExample.contact,
  },
  campaign: {
    use_case: 'CUSTOMER_CARE',
    description: example.campaign.description,
    sample_messages: example.campaign.sample_messages,
    optins: [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the reception desk.',
        keywords: ['JOIN'],
      },
    ],
    opt_in_message: example.campaign.opt_in_message,
    opt_out_message: example.campaign.opt_out_message,
    help_message: example.campaign.help_message,
    privacy_url: example.campaign.privacy_url,
    monthly_volume: '10,001-25,000',
  },
};

export const listSmsCampaigns = operation({
  summary: 'List brands and campaigns with their status',
  params: place,
  paged: true,
  query: listQuery(
    {
      sort: sortBy('created_at', 'updated_at', 'brand'),
      status: z.enum(registrationStatuses).optional(),
      search: z.string().trim().max(100).optional(),
      number_id: id.optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(verification),
  example: { params: { companyId: 1 }, query: { status: 'approved' }, answer: { data: [example] } },
});

export const getSmsCampaign = operation({
  summary: 'Get one registration with its history',
  params: one_,
  answer: one(verificationDetail),
  example: { params: { companyId: 1, id: 71 }, answer: { data: detailExample } },
});

const writes = ['registration.locked', 'registration.number_in_use'] as const;

export const createSmsCampaign = operation({
  summary: 'Create a registration; with is_draft it can be incomplete. Files are sent as multipart',
  params: place,
  status: 201,
  body: verificationBody,
  answer: one(verificationDetail),
  errors: writes,
  example: { params: { companyId: 1 }, body: bodyExample, answer: { data: detailExample } },
});

export const updateSmsCampaign = operation({
  summary:
    'Update a registration that isn’t under review at the carrier; fields left out stay unchanged',
  params: one_,
  etagOf: 'getSmsCampaign',
  object: { table: 'sms_campaign', param: 'id' },
  body: verificationBody,
  answer: one(verificationDetail),
  errors: writes,
  example: {
    params: { companyId: 1, id: 71 },
    body: { campaign: { description: example.campaign.description } },
    answer: { data: detailExample },
  },
});

export const submitSmsCampaign = operation({
  summary:
    'Check a registration and submit it for review, also again after a rejection. With checks_only nothing is submitted',
  params: one_,
  body: z.object({ checks_only: flag.default(false), ...companyIn }),
  answer: z.object({ data: verificationDetail, checks: z.array(check) }),
  errors: ['registration.checks_failed', 'registration.locked'],
  example: {
    params: { companyId: 1, id: 71 },
    body: { checks_only: false },
    answer: {
      data: detailExample,
      checks: [
        {
          code: 'website',
          ok: true,
          title: 'The website responds',
          fix: null,
          field: 'brand.website',
          simulated: true,
        },
      ],
    },
  },
});

export const deleteSmsCampaign = operation({
  summary: 'Delete a draft, or a registration that has ended',
  params: one_,
  answer: empty,
  status: 204,
  errors: ['registration.active'],
  example: { params: { companyId: 1, id: 71 } },
});

export const cancelSmsCampaign = operation({
  summary:
    'Ask the carrier to cancel the local or toll-free registration; its numbers are no longer verified',
  params: one_,
  body: z.object({ type: kind, ...companyIn }),
  answer: one(verificationDetail),
  errors: ['registration.not_cancelable'],
  example: {
    params: { companyId: 1, id: 71 },
    body: { type: 'local' },
    answer: { data: detailExample },
  },
});

const numbersBody = z.object({
  numbers: numberIds.min(1, 'Choose at least one number.'),
  ...companyIn,
});

export const addSmsCampaignNumbers = operation({
  summary: 'Add numbers; each is submitted to the carrier and gets its own status',
  params: one_,
  body: numbersBody,
  answer: one(verificationDetail),
  errors: ['registration.number_in_use', 'registration.ended'],
  example: {
    params: { companyId: 1, id: 71 },
    body: { numbers: [11] },
    answer: { data: detailExample },
  },
});

export const removeSmsCampaignNumbers = operation({
  summary: 'Remove numbers; they’re no longer verified',
  params: one_,
  body: numbersBody,
  answer: one(verificationDetail),
  example: {
    params: { companyId: 1, id: 71 },
    body: { numbers: [11] },
    answer: { data: detailExample },
  },
});
