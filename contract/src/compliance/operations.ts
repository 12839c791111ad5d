import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, empty, flag, id, one } from '../schemas.ts';
import { block } from './schemas.ts';

const blockExample = {
  id: 501,
  global: false,
  target: '+12125550147',
  action: 1 as const,
  company_id: 1,
  number_id: null,
  contact: { id: 77, name: 'Dana Reed' },
  created_at: '2026-11-21T09:15:04.000Z',
  created_by: { id: 5, name: 'Una User' },
};

export const listBlocks = operation({
  summary: 'List blocked callers, newest first, ten per page',
  params: z.object({ companyId: id }),
  query: z.object({
    page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
    perPage: z.coerce
      .number<number>()
      .int()
      .min(1)
      .transform((n) => Math.min(n, 250))
      .default(10),
    search: z.string().trim().max(60).optional(),
    ...companyIn,
  }),
  answer: z.object({
    data: z.array(block),
    total: z.number(),
    last_page: z.number(),
    current_page: z.number(),
    per_page: z.number(),
  }),
  example: {
    params: { companyId: 1 },
    query: { page: 1 },
    answer: { data: [blockExample], total: 1, last_page: 1, current_page: 1, per_page: 10 },
  },
});

export const addBlock = operation({
  summary: 'Block a caller, all anonymous callers or a prefix, or add an exception (action 0)',
  status: 201,
  errors: ['block.exists', 'block.own_number', 'role.forbidden'],
  body: z.object({
    target: z.string().trim().min(1, 'Enter a number to block.').max(40).meta({
      description:
        'A number, short code, sender name, a prefix, `anonymous`, or `contact:ID`, `conversation:ID` or `call:ID` of the person',
    }),
    action: z.coerce
      .number<number>()
      .pipe(z.union([z.literal(0), z.literal(1)]))
      .default(1),
    global: flag.default(false),
    number_id: id.nullable().optional(),
    ...companyIn,
  }),
  answer: one(block),
  example: {
    body: { target: '+12125550147', action: 1, global: false, company_id: 1, number_id: null },
    answer: { data: blockExample },
  },
});

export const removeBlock = operation({
  summary: 'Unblock a caller',
  object: { table: 'block', param: 'id' },
  status: 204,
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 501 } },
});
