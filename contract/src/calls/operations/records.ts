import { z } from 'zod';
import { fieldValuesIn } from '../../fields/schemas.ts';
import { operation } from '../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../schemas.ts';
import { attribution } from '../../tracking/match-schemas.ts';
import { attributionExample, callerIdExample, callExample } from '../examples.ts';
import { departments, lookupErrors, maxCallValueCents, outcomeTags } from '../rules.ts';
import { call, callTag, enhancedCallerId } from '../schemas.ts';

const anId = { params: { id: 48213377024 } };

const ofCall = { table: 'call', param: 'id' };

const callId = z.object({ id });

export const getCall = operation({
  summary: 'Get one call: caller, time, call path and transcript',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  answer: one(call),
  example: { ...anId, answer: { data: callExample } },
});

export const updateCall = operation({
  summary:
    'Update a call’s note, qualification, outcome and other fields. Each change is kept in the history',
  object: ofCall,
  etagOf: 'getCall',
  params: callId,
  body: z.object({
    note: z.string().max(5000).optional(),
    qualified: flag.optional(),
    lead: flag.optional(),
    outcome_tags: z.array(z.enum(outcomeTags)).max(outcomeTags.length).optional(),
    summary: z.string().trim().max(5000).nullable().optional(),
    sentiment: z
      .enum(['positive', 'neutral', 'negative', 'mixed'])
      .optional()
      .meta({ description: 'Of a call with a transcript' }),
    department: z.enum(departments).optional(),
    value_cents: z.number().int().min(0).max(maxCallValueCents).nullable().optional(),
    spam: flag.optional(),
    eavAttributeValues: fieldValuesIn.optional(),
    contact_id: id.nullable().optional(),
    ...companyIn,
  }),
  answer: one(call),
  example: {
    ...anId,
    body: { note: 'Wants a cleaning in May.', qualified: true },
    answer: { data: callExample },
  },
});

const tagsBody = z.object({
  tags: z
    .array(
      z.string().trim().min(1, 'Enter a tag.').max(50, 'A tag can have at most 50 characters.'),
    )
    .min(1, 'Enter at least one tag.')
    .max(50, 'A call can have at most 50 tags.'),
  ...companyIn,
});

const tagsAnswer = one(z.object({ tags: z.array(callTag) }));

const tagsExample = {
  ...anId,
  body: { tags: ['New patient'] },
  answer: { data: { tags: [{ id: 3, name: 'New patient', color: 'teal' }] } },
};

export const addCallTags = operation({
  summary: 'Tag a call; new tags are added to the catalog if the caller can edit it',
  object: ofCall,
  params: callId,
  body: tagsBody,
  answer: tagsAnswer,
  example: tagsExample,
});

export const removeCallTags = operation({
  summary: 'Remove tags from a call',
  object: ofCall,
  params: callId,
  body: tagsBody,
  answer: tagsAnswer,
  example: { ...tagsExample, answer: { data: { tags: [] } } },
});

export const lookUpCaller = operation({
  summary: 'Look up the other party’s number (kept 30 days)',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  errors: lookupErrors,
  answer: one(enhancedCallerId),
  example: { ...anId, answer: { data: callerIdExample } },
});

export const lookUpNumber = operation({
  summary: 'Look up a number (kept 30 days; every new lookup is counted)',
  params: z.object({ companyId: id }),
  body: z.object({
    phone: z.string().trim().min(1, 'Enter a phone number.').max(40),
    name_hint: z.string().trim().max(120).optional(),
    zip_hint: z.string().trim().max(10).optional(),
    ...companyIn,
  }),
  errors: lookupErrors,
  answer: one(enhancedCallerId),
  example: {
    params: { companyId: 1 },
    body: { phone: '+12125550147', name_hint: 'Dana' },
    answer: { data: callerIdExample },
  },
});

export const callAttribution = operation({
  summary:
    'Get where a call came from: the visit it is matched to, why, and the visitor’s visits before. Null for calls that weren’t to a tracking number',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  answer: one(attribution.nullable()),
  example: { ...anId, answer: { data: attributionExample } },
});

export const neighboursOfCall = operation({
  summary: 'Get the calls just before and after this one that the caller can see',
  object: ofCall,
  params: callId,
  query: z.object({ ...companyIn }),
  answer: one(z.object({ newer: id.nullable(), older: id.nullable() })),
  example: { ...anId, answer: { data: { newer: null, older: 48213377001 } } },
});

export const deleteRecording = operation({
  summary: 'Delete a recording permanently. The call record stays',
  errors: ['hold.keeps'],
  object: ofCall,
  params: callId,
  answer: empty,
  status: 204,
  example: { ...anId },
});
