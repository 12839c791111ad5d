import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, empty, id, instant, one } from '../../schemas.ts';
import { scopes } from '../scopes.ts';
import { personalAccessToken, type PersonalAccessToken } from './schemas.ts';

const at = '2026-11-21T09:15:04.000Z';

const example: PersonalAccessToken = {
  id: 62,
  name: 'Reporting sheet',
  prefix: 'tlk_9fQx2b',
  scopes: ['read'],
  user: { id: 5, name: 'Una User' },
  mine: true,
  last_used_at: null,
  last_used_ip: null,
  expires_at: '2027-11-21T09:15:04.000Z',
  created_at: at,
};

export const listPersonalAccessTokens = operation({
  summary: 'List your API keys of a company; administrators see everyone’s',
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(personalAccessToken) }),
  example: { answer: { data: [example] } },
});

export const createPersonalAccessToken = operation({
  summary:
    'Create an API key for one company. The response is the only one that contains the token itself',
  status: 201,
  body: z.object({
    name: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
    scopes: z
      .array(z.enum(scopes, 'Choose from the listed permissions.'))
      .min(1, 'Choose at least one permission.')
      .max(scopes.length),
    expires_at: instant.nullable().optional(),
    ...companyIn,
  }),
  answer: one(personalAccessToken.extend({ plain_text_token: z.string() })),
  errors: ['key.limit'],
  example: {
    body: { name: 'Reporting sheet', scopes: ['read'] },
    answer: { data: { ...example, plain_text_token: 'tlk_9fQx2b…' } },
  },
});

export const deletePersonalAccessToken = operation({
  summary: 'Revoke an API key; requests with it respond 401 from then on',
  object: { table: 'personal_access_token', param: 'id' },
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: empty,
  status: 204,
  example: { params: { id: 62 } },
});
