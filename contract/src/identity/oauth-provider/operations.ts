import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, one } from '../../schemas.ts';
import { oauthAuthorization, oauthClient, redirectUri, scope } from './schemas.ts';

const clientExample = {
  id: 5120,
  client_id: 'tlc_9f2c',
  name: 'Harbor reports',
  redirect_uris: ['https://reports.harbor.example.com/callback'],
  confidential: true,
  shared: false,
  created_at: '2026-11-21T09:15:04.000Z',
};

export const getConsentContext = operation({
  summary: 'What the program that sent the person here asks for',
  answer: one(
    z.object({
      application: z.string(),
      redirect_host: z.string(),
      registered_itself: z.boolean(),
      scopes: z.array(scope).meta({ description: 'What it asks for' }),
      identity: z
        .array(z.enum(['name', 'email']))
        .meta({ description: 'What it learns about the person' }),
      companies: z.array(z.object({ id, scopes: z.array(scope) })).meta({
        description: 'Companies to choose from, each with what the person may allow there',
      }),
    }),
  ),
  errors: ['oauth.request_expired'],
  example: {
    answer: {
      data: {
        application: 'Harbor reports',
        redirect_host: 'reports.harbor.example.com',
        registered_itself: false,
        scopes: ['read', 'admin'],
        identity: ['name', 'email'],
        companies: [{ id: 7300412, scopes: ['read'] }],
      },
    },
  },
});

export const decideConsent = operation({
  summary: 'Allow or deny what a program asks for; the answer is the address to go to',
  body: z.object({ allow: flag, for_company_id: id.nullish() }),
  answer: one(z.object({ redirect_to: z.string() })),
  errors: ['oauth.request_expired'],
  example: {
    body: { allow: true, for_company_id: 7300412 },
    answer: { data: { redirect_to: 'https://app.example.com/api/oauth/auth/8c1f' } },
  },
});

export const listAuthorizations = operation({
  summary: 'List the programs the signed-in person authorized, newest first',
  answer: z.object({ data: z.array(oauthAuthorization) }),
  example: {
    answer: {
      data: [
        {
          id: 611,
          application: 'Harbor reports',
          company_id: 7300412,
          scopes: ['read'],
          created_at: '2026-11-21T09:15:04.000Z',
          last_used_at: null,
        },
      ],
    },
  },
});

export const revokeAuthorization = operation({
  summary: 'Revoke a program’s access: its tokens stop working at once',
  params: z.object({ id }),
  answer: empty,
  status: 204,
  errors: ['not_found'],
  example: { params: { id: 611 } },
});

const ofCompany = oauthAuthorization.extend({
  client_id: z.string(),
  approved: z.boolean().meta({ description: 'Registered by this company, or part of the product' }),
  person: z.object({ id, name: z.string(), email: z.string() }),
});

export const listCompanyAuthorizations = operation({
  summary: 'List what people of this company allowed programs, newest first; at most 500',
  params: z.object({ companyId: id }),
  answer: z.object({ data: z.array(ofCompany) }),
  example: {
    params: { companyId: 7300412 },
    answer: {
      data: [
        {
          id: 611,
          application: 'Harbor reports',
          client_id: 'tlc_9f2c',
          approved: true,
          company_id: 7300412,
          person: { id: 12, name: 'Dana Reed', email: 'dana@example.com' },
          scopes: ['read'],
          created_at: '2026-11-21T09:15:04.000Z',
          last_used_at: null,
        },
      ],
    },
  },
});

export const revokeCompanyAuthorization = operation({
  summary:
    'Revoke what a person of this company allowed a program: its tokens stop working at once',
  params: z.object({ companyId: id, authorizationId: id }),
  answer: empty,
  status: 204,
  errors: ['not_found'],
  example: { params: { companyId: 7300412, authorizationId: 611 } },
});

export const listOAuthClients = operation({
  summary: 'List the programs this company registered, newest first',
  params: z.object({ companyId: id }),
  answer: z.object({ data: z.array(oauthClient) }),
  example: { params: { companyId: 7300412 }, answer: { data: [clientExample] } },
});

export const createOAuthClient = operation({
  summary: 'Register a program; the secret of a confidential one is shown once',
  params: z.object({ companyId: id }),
  body: z.object({
    name: z.string().trim().min(1, 'Enter a name.').max(100),
    redirect_uris: z.array(redirectUri).min(1, 'Enter at least one address.').max(10),
    confidential: z.boolean(),
    shared: z.boolean().optional().meta({
      description: 'May ask people of every company. Only platform staff can set it',
    }),
  }),
  answer: one(oauthClient.extend({ client_secret: z.string().nullable() })),
  status: 201,
  errors: ['role.forbidden', 'oauth.too_many_clients'],
  example: {
    params: { companyId: 7300412 },
    body: {
      name: 'Harbor reports',
      redirect_uris: ['https://reports.harbor.example.com/callback'],
      confidential: true,
    },
    answer: { data: { ...clientExample, client_secret: 'tlcs_Zm9v' } },
  },
});

export const deleteOAuthClient = operation({
  summary: 'Delete a program; everyone’s access through it ends',
  params: z.object({ companyId: id, id }),
  answer: empty,
  status: 204,
  errors: ['not_found'],
  example: { params: { companyId: 7300412, id: 5120 } },
});
