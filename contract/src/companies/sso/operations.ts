import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, one } from '../../schemas.ts';
import { mfaRequired, signedIn, signedInExample } from '../../identity/mfa/schemas.ts';
import { providerReturn, providerVisit } from '../../identity/external-sign-in/schemas.ts';
import { signInOutcomes } from '../../identity/external-sign-in/outcomes.ts';
import { mostSsoRules } from './rules.ts';
import { sso, ssoAccessRule } from './schemas.ts';

const params = z.object({ id });
const domainParams = z.object({ id, domain: z.string().max(253).toLowerCase() });

const issuer = z
  .string()
  .trim()
  .max(500)
  .refine((value) => URL.canParse(value) && /^https?:/.test(value) && !/[?#]/.test(value), {
    error: 'Enter the provider’s issuer, an address that begins with https://.',
  });

const example = {
  connection: {
    issuer: 'https://harborline.okta.com',
    client_id: '0oa1b2c3d4',
    groups_claim: 'groups',
    updated_at: '2026-11-21T09:15:04.000Z',
  },
  domains: [
    {
      domain: 'harborline.com',
      state: 'proven' as const,
      record: {
        type: 'TXT' as const,
        host: '_trunkline.harborline.com',
        value: 'trunkline-verification=v_2f6c',
        found: 'trunkline-verification=v_2f6c',
        ok: true,
      },
      ends_at: null,
      checked_at: '2026-11-21T09:15:04.000Z',
    },
  ],
  only: {
    required_at: null,
    used_at: '2026-11-21T09:20:00.000Z',
    people: 24,
    owners: [{ name: 'Olive Owner', gets_in: 'factor' as const }],
    problem: null,
  },
  scim: {
    url: 'https://phones.example.com/scim/v2',
    made_at: '2026-11-21T09:15:04.000Z',
    last_used_at: null,
    users: 24,
    groups: 3,
  },
  access: [{ group: null, company_id: 1, role: 'user' as const, number_ids: [] }],
  redirect_uri: 'https://phones.example.com/api/oauth/sso/1/callback',
  simulated_dns: false,
};

export const getSso = operation({
  summary: 'Get how an organization’s people sign in through its own provider',
  params,
  answer: one(sso),
  example: { params: { id: 1 }, answer: { data: example } },
});

export const saveSso = operation({
  summary:
    'Connect an OpenID provider, or change it. Its discovery document is read first; a provider that can’t be used is refused with the reason',
  params,
  body: z.object({
    issuer,
    client_id: z.string().trim().min(1, 'Enter the client ID.').max(300),
    client_secret: z
      .string()
      .trim()
      .max(1000)
      .optional()
      .meta({ description: 'Left out: the one that is stored, of the same issuer' }),
    groups_claim: z.string().trim().min(1, 'Enter the name of a claim.').max(100).optional(),
  }),
  answer: one(sso),
  example: {
    params: { id: 1 },
    body: {
      issuer: 'https://harborline.okta.com',
      client_id: '0oa1b2c3d4',
      client_secret: 'a-secret',
    },
    answer: { data: example },
  },
});

export const testSso = operation({
  summary: 'Read a provider’s discovery document, and say in words what is wrong with it',
  params,
  body: z.object({ issuer }),
  answer: one(
    z.object({
      problem: z.string().nullable().meta({ description: 'null: it can be used' }),
    }),
  ),
  example: {
    params: { id: 1 },
    body: { issuer: 'https://harborline.okta.com' },
    answer: { data: { problem: null } },
  },
});

export const removeSso = operation({
  summary: 'Disconnect the provider. Its domains stay proven',
  params,
  answer: empty,
  status: 204,
  errors: ['sso.not_set_up'],
  example: { params: { id: 1 } },
});

export const addSsoDomain = operation({
  summary: 'Add a domain of email addresses, to be proven by a DNS record',
  params,
  body: z.object({ domain: z.string().trim().toLowerCase().max(253) }),
  answer: one(sso),
  status: 201,
  errors: ['sso.domain_taken', 'sso.too_many_domains'],
  example: { params: { id: 1 }, body: { domain: 'harborline.com' }, answer: { data: example } },
});

export const checkSsoDomain = operation({
  summary:
    'Look for a domain’s DNS record now. It is also looked for each hour, and daily once it is proven',
  params: domainParams,
  answer: one(sso),
  errors: ['sso.domain_taken'],
  example: { params: { id: 1, domain: 'harborline.com' }, answer: { data: example } },
});

export const removeSsoDomain = operation({
  summary: 'Remove a domain. People with such addresses no longer sign in through the provider',
  params: domainParams,
  answer: empty,
  status: 204,
  example: { params: { id: 1, domain: 'harborline.com' } },
});

export const saveSsoAccess = operation({
  summary:
    'Set what people who come through the provider get: by group, at each sign-in, and without a group for everyone who is new. Owners are never changed',
  params,
  body: z.object({
    rules: z.array(ssoAccessRule).max(mostSsoRules, `Up to ${mostSsoRules} rules.`),
  }),
  answer: one(sso),
  example: {
    params: { id: 1 },
    body: { rules: [{ group: 'Front desk', company_id: 1, role: 'user' }] },
    answer: { data: example },
  },
});

export const requireSso = operation({
  summary:
    'Let people with an address at the proven domains sign in only through the provider, or choose again. Sessions that began otherwise no longer reach the organization’s companies. Owners with a password and a second factor still get in by both',
  params,
  body: z.object({ required: z.boolean() }),
  answer: one(sso),
  errors: ['sso.not_set_up', 'sso.no_domain', 'sso.untried', 'sso.not_in_it', 'sso.no_door'],
  example: { params: { id: 1 }, body: { required: false }, answer: { data: example } },
});

export const makeScimToken = operation({
  summary:
    'Make the token with which the organization’s directory changes its people by SCIM 2.0. It replaces the one before, and is shown once',
  params,
  answer: one(z.object({ token: z.string() })),
  status: 201,
  example: { params: { id: 1 }, answer: { data: { token: 'tlsc_6f1d…' } } },
});

export const revokeScimToken = operation({
  summary: 'Revoke the token of the organization’s directory. Its people stay as they are',
  params,
  answer: empty,
  status: 204,
  errors: ['scim.no_token'],
  example: { params: { id: 1 } },
});

export const findSso = operation({
  summary:
    'Find the organization whose provider signs in people with this address. It doesn’t say whether anyone has it',
  body: z.object({ email: z.string().max(320) }),
  answer: one(
    z
      .object({
        organization: z.string(),
        url: z.string().meta({ description: 'For the browser to open' }),
        is_required: z.boolean().meta({ description: 'Its people sign in by nothing else' }),
      })
      .nullable(),
  ),
  limit: 'login',
  example: {
    body: { email: 'ann@harborline.com' },
    answer: {
      data: {
        organization: 'Harborline Group',
        url: '/api/oauth/sso/1/redirect',
        is_required: false,
      },
    },
  },
});

export const redirectToSso = operation({
  summary:
    'Begin to sign in through an organization’s provider: redirects the browser there, and sets the cookie that its return is recognized by',
  params,
  query: providerVisit,
  answer: empty,
  status: 302,
  limit: 'login',
  errors: ['sign_in.unknown_provider'],
  example: { params: { id: 1 }, query: { next: '/inbox' } },
});

export const returnFromSso = operation({
  summary: `Where an organization’s provider sends the person back to. Redirects to the app, with the result in \`external\`: ${signInOutcomes.join(', ')}`,
  params,
  query: providerReturn,
  answer: empty,
  status: 302,
  limit: 'login',
  errors: ['sign_in.unknown_provider'],
  example: { params: { id: 1 }, query: { code: '4/0Ab', state: 'tlx_…' } },
});

export const signInBySso = operation({
  summary:
    'Finish signing in through an organization’s provider, in the browser that returned from it. Someone new becomes a member. A person with a second factor gets an `mfa_token` instead of a token',
  limit: 'login',
  opensSession: true,
  body: z.object({ remember: flag.optional() }),
  answer: z.union([signedIn, mfaRequired]),
  errors: ['sign_in.expired', 'sso.no_access'],
  example: { body: { remember: true }, answer: signedInExample },
});
