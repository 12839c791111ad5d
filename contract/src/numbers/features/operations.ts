import { z } from 'zod';
import { operation } from '../../operation.ts';
import { flag, id, one } from '../../schemas.ts';
import { featureNames } from './rules.ts';

const feature = z.enum(featureNames);
const params = { featureName: feature };
const body = z.object({
  enabled: flag,
  enableForExistingNumbers: flag.optional().meta({
    description:
      'When it is turned on: also turns on what numbers have of it (recording, transcription, AI fields, texts, pictures)',
  }),
  skipSuccessFlash: flag.optional().meta({ description: 'For the client only' }),
});
const toggled = z.object({
  feature,
  enabled: z.boolean(),
  applied_numbers: z.number().meta({ description: 'Numbers that were changed' }),
  companies: z.array(z.object({ id, enabled: z.boolean() })),
});
const toggledExample = {
  feature: 'call-recording' as const,
  enabled: true,
  applied_numbers: 3,
  companies: [{ id: 7300412, enabled: true }],
};
const companyFeature = z.object({
  feature,
  enabled: z.boolean(),
  source: z.enum(['system', 'organization', 'company', 'plan']).meta({
    description:
      'Where that is set; `system` also where nothing is, `plan` where the plan lacks it',
  }),
});

export const listCompanyFeatures = operation({
  summary: 'List the features, and whether each is on in the company',
  params: z.object({ companyId: id }),
  answer: one(z.array(companyFeature)),
  example: {
    params: { companyId: 7300412 },
    answer: { data: [{ feature: 'sms', enabled: true, source: 'system' }] },
  },
});

export const setCompanyFeature = operation({
  summary: 'Turn a feature of the company on or off. Nothing is deleted',
  params: z.object({ companyId: id, ...params }),
  body,
  answer: one(toggled),
  errors: ['feature.organization', 'feature.plan'],
  example: {
    params: { companyId: 7300412, featureName: 'call-recording' },
    body: { enabled: true, enableForExistingNumbers: true },
    answer: { data: toggledExample },
  },
});

export const listOrganizationFeatures = operation({
  summary: 'List the features, and in which of the organization’s companies each is on',
  params: z.object({ organizationId: id }),
  answer: one(
    z.array(
      z.object({
        feature,
        enabled: z.boolean(),
        companies: z.array(z.object({ id, name: z.string(), enabled: z.boolean() })),
      }),
    ),
  ),
  example: {
    params: { organizationId: 12 },
    answer: {
      data: [
        {
          feature: 'sms',
          enabled: true,
          companies: [{ id: 7300412, name: 'Harbor Dental', enabled: true }],
        },
      ],
    },
  },
});

export const setOrganizationFeature = operation({
  summary:
    'Turn a feature on or off in all companies of the organization, or in those of `companyIds`. Its companies can’t turn on what it has turned off',
  params: z.object({ organizationId: id, ...params }),
  query: z.object({
    companyIds: z.array(id).max(1000).optional().meta({ description: 'Only these' }),
  }),
  body,
  answer: one(toggled),
  example: {
    params: { organizationId: 12, featureName: 'call-recording' },
    body: { enabled: true, enableForExistingNumbers: true },
    answer: { data: toggledExample },
  },
});
