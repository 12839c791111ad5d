import { z } from 'zod';
import { instant } from '../../schemas.ts';
import { personBrief, tokens } from '../schemas.ts';
import { mfaKinds } from './rules.ts';

/** What an authenticator returned to the browser; the server checks it in full. */
export const authenticatorResponse = z
  .looseObject({ id: z.string().max(2000) })
  .meta({ description: 'The JSON form of a PublicKeyCredential' });

const method = z.object({
  kind: z.enum([...mfaKinds, 'passkey']),
  /** Where a code goes, shortened; null: no code is sent. */
  masked: z.string().nullable(),
});

export const signedIn = z.object({ token: tokens, data: personBrief });

/** A right password of a person with a second factor: no token yet. */
export const mfaRequired = z.object({
  mfa_required: z.literal(true),
  mfa_token: z.string(),
  methods: z.array(method),
});

export const factor = z.object({
  kind: z.enum(mfaKinds),
  enabled: z.boolean(),
  verified_at: instant.nullable(),
  masked: z.string().nullable(),
  last_used_at: instant.nullable(),
  /** Recovery codes that are left; null for other kinds. */
  remaining: z.number().nullable(),
});

export const code = z.string().trim().min(1, 'Enter the code.').max(40);

const tokenExample = {
  access_token: 'tla_…',
  expires_in: 3600,
  refresh_token: 'tlr_…',
  token_type: 'Bearer',
};
export const signedInExample = {
  token: tokenExample,
  data: {
    id: 1,
    email: 'owner@demo.test',
    name: 'Olive Owner',
    first_name: 'Olive',
    last_name: 'Owner',
    timezone: null,
  },
};
