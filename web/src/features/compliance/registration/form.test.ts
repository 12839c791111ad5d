import { expect, it } from 'vitest';
import { getSmsCampaign } from '#contract/compliance/registration/operations';
import { toRequestBody, missingFields, stepOfField, toFormValues } from './form.ts';
import type { RegistrationDetail } from './labels.ts';

const complete = (getSmsCampaign.example.answer as { data: RegistrationDetail }).data;

it('a complete registration has no missing fields and is sent as loaded', () => {
  const values = toFormValues(complete);
  expect(missingFields(values)).toEqual({});
  expect(toRequestBody(values, true)).toMatchObject({
    is_draft: true,
    brand: { legal_name: complete.brand.legal_name },
    campaign: { sample_messages: complete.campaign.sample_messages, numbers: [11] },
  });
  expect(toRequestBody(values, false)).not.toHaveProperty('brand');
});

it('every missing field belongs to a step that shows it', () => {
  const empty = toFormValues({
    ...complete,
    brand: {
      ...complete.brand,
      type: null,
      legal_name: '',
      ein: '',
      industry: null,
      website: '',
      email: '',
      phone: '',
      address: {},
      contact: {},
    },
    campaign: {
      ...complete.campaign,
      use_case: null,
      description: '',
      sample_messages: [],
      optins: [],
      opt_in_message: '',
      opt_out_message: '',
      help_message: '',
      privacy_url: '',
      monthly_volume: null,
      numbers: [],
    },
  });
  const gaps = Object.keys(missingFields(empty));
  expect(gaps.length).toBeGreaterThan(15);
  expect(new Set(gaps.map(stepOfField))).toEqual(
    new Set(['brand', 'campaign', 'opt-in', 'samples']),
  );
  expect(toRequestBody(empty, true).campaign).toMatchObject({ optins: [], sample_messages: [] });
});
