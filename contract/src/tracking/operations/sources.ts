import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, id, one } from '../../schemas.ts';
import { sourceLimits } from '../rules.ts';
import { classification, source, sourceIn, type Source } from '../schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: Source = {
  id: 71,
  key: 'own_spring_mailer',
  label: 'Spring mailer',
  kind: 'offline',
  group: 'offline',
  precedence: 1,
  rules: [{ id: 'own.71.1', on: 'url', match: 'contains', name: null, value: '/spring' }],
  isSystem: false,
  createdAt: at,
  updatedAt: at,
};
const inCompany = z.object({ companyId: id });
const ofSource = z.object({ companyId: id, sourceId: id });

export const listSources = operation({
  summary: 'List the sources of visitors: the company’s own in their order, then those of everyone',
  params: inCompany,
  answer: one(z.array(source)),
  example: { params: { companyId: 1 }, answer: { data: [example] } },
});

export const createSource = operation({
  summary: `Add a source with its rules, after the company’s others. At most ${sourceLimits.sources}`,
  status: 201,
  params: inCompany,
  body: z.object({ ...sourceIn, rules: sourceIn.rules.default([]) }),
  answer: one(source),
  errors: ['source.exists'],
  example: {
    params: { companyId: 1 },
    body: {
      label: 'Spring mailer',
      kind: 'offline',
      group: 'offline',
      rules: [{ on: 'url', match: 'contains', value: '/spring' }],
    },
    answer: { data: example },
  },
});

export const updateSource = operation({
  summary: 'Change a source of the company. `rules` replaces all; fields left out stay unchanged',
  params: ofSource,
  object: { table: 'tracking_source', param: 'sourceId' },
  body: z.object(sourceIn).partial(),
  answer: one(source),
  errors: ['source.exists'],
  example: {
    params: { companyId: 1, sourceId: 71 },
    body: { label: 'Spring mailer 2027' },
    answer: { data: { ...example, label: 'Spring mailer 2027' } },
  },
});

export const orderSources = operation({
  summary: 'Change the order in which the company’s own sources are asked. Name all of them',
  params: inCompany,
  body: z.object({ sourceIds: z.array(id).max(sourceLimits.sources) }),
  answer: one(z.array(source)),
  example: {
    params: { companyId: 1 },
    body: { sourceIds: [71] },
    answer: { data: [example] },
  },
});

export const deleteSource = operation({
  summary: 'Delete a source of the company. Visits and calls keep its name',
  status: 204,
  params: ofSource,
  answer: empty,
  errors: ['source.in_use'],
  example: { params: { companyId: 1, sourceId: 71 } },
});

export const classifyVisit = operation({
  summary: 'Which source a visit would have, which rule decides, and which rules lose and why',
  params: inCompany,
  reads: true,
  body: z.object({
    url: z.string().trim().min(1, 'Enter an address.').max(8192, 'At most 8,192 characters.'),
    referrer: z.string().trim().max(8192, 'At most 8,192 characters.').nullish(),
  }),
  answer: one(classification),
  example: {
    params: { companyId: 1 },
    body: {
      url: 'https://www.harbordental.example/implants?gclid=EAIaIQ&utm_source=newsletter',
      referrer: 'https://www.google.com/',
    },
    answer: {
      data: {
        source: {
          id: 1,
          key: 'google_ads',
          label: 'Google Ads',
          kind: 'online',
          group: 'paid_search',
        },
        medium: 'cpc',
        campaign: null,
        term: null,
        content: null,
        referrerHost: 'www.google.com',
        clickIds: { gclid: 'EAIaIQ' },
        ruleId: 'click.gclid',
        step: 2,
        evidence: 'gclid=EAIaIQ',
        isNewTouch: true,
        lost: [
          {
            ruleId: 'utm.source',
            step: 3,
            sourceKey: null,
            evidence: 'utm_source=newsletter',
            why: 'unknown_value',
          },
          {
            ruleId: 'referrer.google',
            step: 5,
            sourceKey: 'google_organic',
            evidence: 'www.google.com',
            why: 'decided_earlier',
          },
        ],
      },
    },
  },
});
