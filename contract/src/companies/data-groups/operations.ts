import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, instant, listQuery, one, pageOf } from '../../schemas.ts';
import { dataGroupTypes } from './rules.ts';

const type = z.enum(dataGroupTypes);
const entity = z.object({ type, id });

/** Data group (A22). Entities that were deleted, or whose company left, are no longer listed. */
const dataGroup = z.object({
  id,
  name: z.string(),
  description: z.string(),
  organizationId: id,
  entities: z.array(z.object({ type, id, label: z.string() })),
  created_at: instant,
});

const name = z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.');
const description = z.string().trim().max(500, 'At most 500 characters.');
const organizationId = id.optional().meta({
  description: 'The organization of the company, and no other',
});
const entities = z
  .array(entity)
  .min(1, 'Choose at least one item.')
  .max(500, 'Up to 500 items at a time.');
const errors = ['tenant.no_organization'] as const;

const example = {
  id: 5,
  name: 'Northern offices',
  description: 'What the northern region is measured by',
  organizationId: 1,
  entities: [
    { type: 'company' as const, id: 1, label: 'Harbor Dental' },
    { type: 'number' as const, id: 7, label: 'Front desk, (415) 555-2368' },
  ],
  created_at: '2026-11-21T09:15:04.000Z',
};

export const listDataGroups = operation({
  summary: 'List the data groups of the company’s organization, by name',
  paged: true,
  query: listQuery(
    { ...companyIn, organizationId, search: z.string().max(100).optional() },
    { perPage: 25, max: 100 },
  ),
  errors,
  answer: pageOf(dataGroup),
  example: { query: { company_id: 1 }, answer: { data: [example] } },
});

export const createDataGroup = operation({
  summary: 'Create a data group: companies, numbers, pools, users and tags that are read together',
  body: z.object({
    ...companyIn,
    organizationId,
    name,
    description: description.default(''),
    entities: z.array(entity).max(500, 'Up to 500 items at a time.').default([]),
  }),
  status: 201,
  errors: [...errors, 'data_group.exists', 'data_group.too_many'],
  answer: one(dataGroup),
  example: {
    body: { company_id: 1, name: 'Northern offices', entities: [{ type: 'number', id: 7 }] },
    answer: { data: example },
  },
});

export const getDataGroup = operation({
  summary: 'Get a data group',
  params: z.object({ id }),
  query: z.object(companyIn),
  errors,
  answer: one(dataGroup),
  example: { params: { id: 5 }, query: { company_id: 1 }, answer: { data: example } },
});

export const updateDataGroup = operation({
  summary: 'Rename or describe a data group; with `entities`, replace what it holds',
  params: z.object({ id }),
  body: z.object({
    ...companyIn,
    name: name.optional(),
    description: description.optional(),
    entities: z.array(entity).max(500, 'Up to 500 items at a time.').optional(),
  }),
  errors: [...errors, 'data_group.exists'],
  answer: one(dataGroup),
  example: {
    params: { id: 5 },
    body: { company_id: 1, name: 'Northern offices' },
    answer: { data: example },
  },
});

export const deleteDataGroup = operation({
  summary: 'Delete a data group. What it holds stays',
  params: z.object({ id }),
  query: z.object(companyIn),
  errors,
  answer: empty,
  status: 204,
  example: { params: { id: 5 }, query: { company_id: 1 } },
});

export const attachToDataGroup = operation({
  summary: 'Add items to a data group. Items that are in it already stay',
  params: z.object({ id }),
  body: z.object({ ...companyIn, entities }),
  errors: [...errors, 'data_group.full'],
  answer: one(dataGroup),
  example: {
    params: { id: 5 },
    body: { company_id: 1, entities: [{ type: 'number', id: 7 }] },
    answer: { data: example },
  },
});

export const detachFromDataGroup = operation({
  summary: 'Take items out of a data group. Items that aren’t in it are ignored',
  params: z.object({ id }),
  body: z.object({ ...companyIn, entities }),
  errors,
  answer: one(dataGroup),
  example: {
    params: { id: 5 },
    body: { company_id: 1, entities: [{ type: 'number', id: 7 }] },
    answer: { data: { ...example, entities: example.entities.slice(0, 1) } },
  },
});
