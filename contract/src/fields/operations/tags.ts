import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, listQuery, pageOf, sortBy } from '../../schemas.ts';
import { tagColors } from '../rules.ts';
import { tag, type Tag } from '../schemas.ts';
import { at } from './shared.ts';

const tagExample: Tag = {
  id: 3,
  name: 'New patient',
  color: 'teal',
  scope: 'company',
  usage_count: 12,
  uses: { numbers: 1, calls: 11, other: 0 },
  created_by: 5,
  created_at: at,
};

const tagName = z
  .string()
  .trim()
  .min(1, 'Enter a tag name.')
  .max(50, 'A tag can have at most 50 characters.');

const color = z.enum(tagColors, 'Choose a color from the list.');

const ofCompany = z.object({ companyId: id });

const businessUnitId = id
  .nullish()
  .meta({ description: 'The organization; its tags are available in all its companies' });

export const listTags = operation({
  summary: 'List the tags with how often each is used',
  paged: true,
  params: ofCompany,
  query: listQuery(
    {
      sort: sortBy('name', 'usage_count', 'created_at', 'color'),
      search: z.string().trim().max(100).optional(),
      businessUnitId: businessUnitId.optional(),
      scope: z.enum(['company', 'organization']).optional(),
      unused: flag.optional(),
    },
    { perPage: 250, max: 1000 },
  ),
  answer: pageOf(tag),
  example: {
    params: { companyId: 1 },
    query: { sort: 'usage_count', dir: 'desc' },
    answer: { data: [tagExample] },
  },
});

export const createTags = operation({
  summary: 'Create tags; with businessUnitId, in all companies of the organization',
  status: 201,
  params: ofCompany,
  body: z.object({
    tags: z
      .array(
        z.union([
          tagName.transform((name) => ({ name, color: undefined })),
          z.object({ name: tagName, color: color.optional() }),
        ]),
      )
      .min(1, 'Enter at least one tag.')
      .max(200, 'Enter at most 200 tags at once.'),
    businessUnitId,
  }),
  answer: z.object({ data: z.array(tag) }),
  errors: ['tag.exists'],
  example: {
    params: { companyId: 1 },
    body: { tags: [{ name: 'New patient', color: 'teal' }] },
    answer: { data: [tagExample] },
  },
});

export const updateTags = operation({
  summary: 'Rename, recolor or merge tags, or restore deleted ones; tagged records keep them',
  params: ofCompany,
  body: z.object({
    tags: z
      .array(
        z.object({
          id,
          name: tagName.optional(),
          color: color.optional(),
          merge_into: id.optional().meta({
            description: 'Everything with this tag gets that tag instead; this one is removed',
          }),
          restore: flag.optional().meta({
            description: 'Restore a tag deleted in the last 30 days, with everything that had it',
          }),
        }),
      )
      .min(1)
      .max(200),
    businessUnitId,
  }),
  answer: z.object({ data: z.array(tag) }),
  errors: ['tag.exists'],
  example: {
    params: { companyId: 1 },
    body: { tags: [{ id: 3, name: 'New patient', color: 'blue' }] },
    answer: { data: [{ ...tagExample, color: 'blue' }] },
  },
});

export const deleteTags = operation({
  summary: 'Delete tags; they can be restored for 30 days',
  status: 204,
  params: ofCompany,
  query: z.object({
    ids: z.preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(id)).optional(),
    businessUnitId: businessUnitId.optional(),
  }),
  body: z.object({ ids: z.array(id).max(200).optional(), businessUnitId }),
  answer: empty,
  example: { params: { companyId: 1 }, body: { ids: [3] } },
});
