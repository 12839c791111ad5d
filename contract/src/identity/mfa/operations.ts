import { z } from 'zod';
import { operation } from '../../operation.ts';
import { empty, instant, one } from '../../schemas.ts';
import { mfaKinds } from './rules.ts';
import {
  authenticatorResponse,
  code,
  factor,
  mfaRequired,
  signedIn,
  signedInExample,
} from './schemas.ts';

const params = z.object({ kind: z.enum(mfaKinds) });
const recoveryCodes = z.array(z.string());

export const listMfa = operation({
  summary: 'List the ways in which the signed-in person confirms a sign-in',
  answer: one(z.array(factor)),
  example: {
    answer: {
      data: mfaKinds.map((kind) => ({
        kind,
        enabled: false,
        verified_at: null,
        masked: kind === 'email' ? 'o•••@demo.test' : null,
        last_used_at: null,
        remaining: kind === 'recovery' ? 0 : null,
      })),
    },
  },
});

export const mfaQr = operation({
  summary:
    'Get the secret of an authenticator app that is being set up, as a link and a QR code. Only kind totp',
  params,
  answer: one(z.object({ secret: z.string(), otpauth_url: z.string(), svg: z.string() })),
  errors: ['mfa.already_active', 'mfa.not_for_kind'],
  example: {
    params: { kind: 'totp' },
    answer: {
      data: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        otpauth_url: 'otpauth://totp/Trunkline:owner%40demo.test?secret=JBSWY3DPEHPK3PXP',
        svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 33 33"></svg>',
      },
    },
  },
});

const sentAnswer = one(z.object({ masked: z.string(), expires_in: z.number() }));
const sendErrors = ['mfa.no_sender', 'mfa.codes_used', 'mfa.not_for_kind', 'mail.not_set_up'];

export const sendMfaCode = operation({
  summary:
    'Send a code by text or email, to set that factor up or to use it. `phone`: the number to set up; kinds sms and email',
  limit: 'codes',
  params,
  body: z.object({ phone: z.string().max(40).optional() }),
  answer: sentAnswer,
  errors: sendErrors,
  example: {
    params: { kind: 'email' },
    body: {},
    answer: { data: { masked: 'o•••@demo.test', expires_in: 600 } },
  },
});

export const verifyMfa = operation({
  summary:
    'Set a factor up with its first code. The first factor answers with ten recovery codes, shown once. Needs a recent confirmation',
  params,
  body: z.object({ code }),
  answer: one(
    z.object({
      kind: z.enum(mfaKinds),
      enabled: z.literal(true),
      recovery_codes: recoveryCodes.nullable(),
    }),
  ),
  errors: ['mfa.locked', 'mfa.not_active', 'mfa.not_for_kind', 'confirmation.required'],
  example: {
    params: { kind: 'totp' },
    body: { code: '123456' },
    answer: { data: { kind: 'totp', enabled: true, recovery_codes: ['8F3K2-QWX7M'] } },
  },
});

export const reactivateMfa = operation({
  summary:
    'Set a factor up again: a new secret for totp (the old one works until the new one is verified), ten new codes for recovery, a new code for sms and email. Needs a recent confirmation',
  limit: 'codes',
  params,
  answer: one(z.object({ kind: z.enum(mfaKinds), recovery_codes: recoveryCodes.nullable() })),
  errors: [...sendErrors, 'mfa.not_active', 'confirmation.required'],
  example: {
    params: { kind: 'recovery' },
    answer: { data: { kind: 'recovery', recovery_codes: ['8F3K2-QWX7M'] } },
  },
});

export const removeMfa = operation({
  summary:
    'Remove a factor, with a fresh code of it or after a recent confirmation. Without the last one the recovery codes go too',
  params,
  body: z.object({ code: code.optional() }),
  answer: empty,
  status: 204,
  errors: ['mfa.locked', 'mfa.not_active', 'confirmation.required'],
  example: { params: { kind: 'totp' }, body: { code: '123456' } },
});

export const signInWithCode = operation({
  summary:
    'Finish a sign-in with a second factor: a code, or a signed challenge for kind passkey. Five wrong ones end it',
  limit: 'login',
  opensSession: true,
  body: z.object({
    mfa_token: z.string().max(200),
    kind: z.enum([...mfaKinds, 'passkey']),
    code: code.optional(),
    passkey: authenticatorResponse.optional(),
  }),
  answer: signedIn,
  errors: ['mfa.expired', 'mfa.tries_used', 'mfa.locked', 'passkey.refused', 'sso.required'],
  example: {
    body: { mfa_token: 'tlm_…', kind: 'totp', code: '123456' },
    answer: signedInExample,
  },
});

export const mfaToken = operation({
  summary: 'Get what a sign-in still waits for. With kind sms or email, a code is sent first',
  limit: 'codes',
  body: z.object({ mfa_token: z.string().max(200), kind: z.enum(mfaKinds).optional() }),
  answer: mfaRequired.extend({ expires_in: z.number(), sent_to: z.string().nullable() }),
  errors: [...sendErrors, 'mfa.expired', 'mfa.tries_used'],
  example: {
    body: { mfa_token: 'tlm_…', kind: 'email' },
    answer: {
      mfa_required: true,
      mfa_token: 'tlm_…',
      methods: [{ kind: 'email', masked: 'o•••@demo.test' }],
      expires_in: 540,
      sent_to: 'o•••@demo.test',
    },
  },
});

export const confirmIdentity = operation({
  summary:
    'Confirm who is signed in, for 15 minutes, with the password, a factor’s code or a passkey. Dangerous actions answer `confirmation.required` without it',
  body: z.object({
    password: z.string().max(1000).optional(),
    kind: z.enum(mfaKinds).optional(),
    code: code.optional(),
    passkey: authenticatorResponse.optional(),
  }),
  answer: one(z.object({ confirmed_until: instant })),
  errors: ['mfa.locked', 'passkey.refused'],
  example: {
    body: { password: 'trunkline-demo' },
    answer: { data: { confirmed_until: '2026-11-24T09:30:00.000Z' } },
  },
});
