import { expect, it } from 'vitest';
import { getSmsCampaign } from '#contract/registration';
import { bodyOf, gapsOf, stepOf, valuesOf } from './form.ts';
import type { Detail } from './words.ts';

const complete = (getSmsCampaign.example.answer as { data: Detail }).data;

it('a complete registration has no gap, and what is saved is what was shown', () => {
  const values = valuesOf(complete);
  expect(gapsOf(values)).toEqual({});
  expect(bodyOf(values, true)).toMatchObject({
    is_draft: true,
    brand: { legal_name: complete.brand.legal_name },
    campaign: { sample_messages: complete.campaign.sample_messages, numbers: [11] },
  });
  expect(bodyOf(values, false)).not.toHaveProperty('brand');
});

it('every gap of an empty one belongs to a step that has the field', () => {
  const empty = valuesOf({
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
  const gaps = Object.keys(gapsOf(empty));
  expect(gaps.length).toBeGreaterThan(15);
  expect(new Set(gaps.map(stepOf))).toEqual(new Set(['brand', 'campaign', 'opt-in', 'samples']));
  expect(bodyOf(empty, true).campaign).toMatchObject({ optins: [], sample_messages: [] });
});
