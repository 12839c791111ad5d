import { z } from 'zod';
import { operation } from '../../operation.ts';
import { emailAddress } from '../../email-address.ts';
import { id, instant, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { companyRoles } from '../../permissions.ts';
import { companyStatus } from '../schemas.ts';

const platformCompany = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  status: companyStatus,
  suspended: z.boolean().meta({ description: 'Closed until an overdue balance is paid' }),
  organization: z.object({ id, name: z.string() }).nullable(),
  users: z.number().int().meta({ description: 'People who can sign in to it' }),
  numbers: z.number().int().meta({ description: 'Numbers it holds, those being released too' }),
  created_at: instant,
  last_seen_at: instant.nullable().meta({ description: 'When one of its people used it last' }),
});

export const listPlatformCompanies = operation({
  summary: 'List the companies of this installation; for platform staff',
  paged: true,
  query: listQuery(
    {
      search: z.string().max(100).optional().meta({ description: 'In the name, or the exact ID' }),
      status: z.enum(['active', 'parked', 'deactivated', 'suspended']).optional(),
      sort: sortBy('name', 'created_at'),
    },
    { perPage: 25 },
  ),
  answer: pageOf(platformCompany),
  example: {
    query: { search: 'harbor' },
    answer: {
      data: [
        {
          id: 1,
          name: 'Harbor Dental',
          slug: 'harbor-dental',
          status: 0,
          suspended: false,
          organization: { id: 3, name: 'Harborline Group' },
          users: 5,
          numbers: 14,
          created_at: '2026-08-27T09:15:04.000Z',
          last_seen_at: '2026-11-25T09:15:04.000Z',
        },
      ],
    },
  },
});

export const createPlatformCompany = operation({
  summary:
    'Add a company and its owner; for platform staff with changes allowed. The owner is mailed a link to set a password; `link` is that link where this server can’t send email, once',
  body: z.object({
    name: z.string().trim().min(1, 'Enter the name of the company.').max(120),
    timezone: z.string().max(60).optional(),
    owner: z.object({
      email: emailAddress,
      first_name: z.string().trim().min(1, 'Enter the owner’s name.').max(80),
      last_name: z.string().trim().max(80).optional(),
    }),
  }),
  answer: one(
    z.object({
      id,
      name: z.string(),
      owner: z.object({ id, email: z.string() }),
      link: z.string().nullable(),
      expires_at: instant,
    }),
  ),
  status: 201,
  errors: ['email.taken'],
  example: {
    body: {
      name: 'Harbor Dental',
      timezone: 'America/New_York',
      owner: { email: 'owner@example.com', first_name: 'Olive', last_name: 'Owner' },
    },
    answer: {
      data: {
        id: 1,
        name: 'Harbor Dental',
        owner: { id: 2, email: 'owner@example.com' },
        link: null,
        expires_at: '2026-12-02T09:15:04.000Z',
      },
    },
  },
});

const platformPerson = z.object({
  id,
  name: z.string(),
  email: z.string(),
  is_staff: z.boolean().meta({ description: 'Works for the platform' }),
  created_at: instant,
  last_seen_at: instant.nullable().meta({ description: 'null: never signed in' }),
  companies: z
    .array(z.object({ id, name: z.string(), role: z.enum([...companyRoles, 'deactivated']) }))
    .meta({ description: 'The first 20 by name' }),
  company_count: z.number().int(),
});

export const listPlatformPeople = operation({
  summary: 'Find people of this installation by name, email or company; for platform staff',
  paged: true,
  query: listQuery(
    { search: z.string().max(100).optional(), company_id: id.optional() },
    { perPage: 25 },
  ),
  answer: pageOf(platformPerson),
  example: {
    query: { search: 'olive' },
    answer: {
      data: [
        {
          id: 1,
          name: 'Olive Owner',
          email: 'owner@demo.test',
          is_staff: false,
          created_at: '2026-08-27T09:15:04.000Z',
          last_seen_at: '2026-11-25T09:15:04.000Z',
          companies: [{ id: 1, name: 'Harbor Dental', role: 'owner' }],
          company_count: 1,
        },
      ],
    },
  },
});
