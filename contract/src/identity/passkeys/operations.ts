import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, flag, id, instant, one } from '../../schemas.ts';
import { authenticatorResponse, signedIn, signedInExample } from '../mfa/schemas.ts';

const passkey = z.object({
  id,
  name: z.string(),
  created_at: instant,
  last_used_at: instant.nullable(),
});
const passkeyExample = {
  id: 1,
  name: 'Laptop',
  created_at: '2026-11-21T09:15:04.000Z',
  last_used_at: null,
};
const name = z.string().trim().min(1, 'Enter a name.').max(60, 'At most 60 characters.');
/** For the browser's `navigator.credentials`, as JSON. */
const options = one(z.looseObject({ challenge: z.string() }));
const optionsExample = { data: { challenge: 'k3JmX0', rpId: 'phones.example.com' } };

export const listPasskeys = operation({
  summary: 'List the signed-in person’s passkeys',
  answer: one(z.array(passkey)),
  example: { answer: { data: [passkeyExample] } },
});

export const passkeyCreationOptions = operation({
  summary: 'Get the options with which a browser creates a passkey. Needs a recent confirmation',
  limit: 'login',
  answer: options,
  errors: ['confirmation.required', 'passkey.limit'],
  example: { answer: optionsExample },
});

export const createPasskey = operation({
  summary:
    'Add the passkey that the browser created. A person without another factor gets ten recovery codes, shown once. Needs a recent confirmation',
  body: z.object({ name, passkey: authenticatorResponse }),
  answer: one(passkey.extend({ recovery_codes: z.array(z.string()).nullable() })),
  status: 201,
  errors: ['confirmation.required', 'passkey.refused', 'passkey.limit'],
  example: {
    body: { name: 'Laptop', passkey: { id: 'credential-id' } },
    answer: { data: { ...passkeyExample, recovery_codes: null } },
  },
});

export const renamePasskey = operation({
  summary: 'Rename a passkey',
  params: z.object({ id }),
  body: z.object({ name }),
  answer: one(passkey),
  errors: ['not_found'],
  example: {
    params: { id: 1 },
    body: { name: 'Laptop' },
    answer: { data: passkeyExample },
  },
});

export const removePasskey = operation({
  summary: 'Remove a passkey. Needs a recent confirmation',
  params: z.object({ id }),
  answer: empty,
  status: 204,
  errors: ['confirmation.required', 'not_found', 'sign_in.last_way'],
  example: { params: { id: 1 } },
});

export const passkeySignInOptions = operation({
  summary:
    'Get the options with which a browser uses a passkey: any, or one of the person whose sign-in waits (`mfa_token`)',
  limit: 'login',
  body: z.object({ mfa_token: z.string().max(200).optional() }),
  answer: options,
  errors: ['mfa.expired'],
  example: { body: {}, answer: optionsExample },
});

export const signInWithPasskey = operation({
  summary: 'Sign in with a passkey alone. It has verified the person, so no other factor is needed',
  limit: 'login',
  opensSession: true,
  body: z.object({
    passkey: authenticatorResponse,
    remember: flag.optional(),
    admin: flag.optional(),
  }),
  answer: signedIn,
  errors: ['passkey.refused', 'sso.required'],
  example: { body: { passkey: { id: 'credential-id' } }, answer: signedInExample },
});
