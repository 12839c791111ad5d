import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'session',
      ageColumn: 'least(ended_at, refresh_expires_at)',
      keepFor: '30 days',
      atLeastDays: 1,
      where:
        'exists (select from session newer where newer.person_id = r.person_id and newer.id > r.id)',
      reason:
        'sign-in history, to investigate a theft; the last session of a person shows when they were last active',
    },
    {
      table: 'login_attempt',
      ageColumn: 'at',
      keepFor: '30 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'the lockout looks back minutes; an investigation looks back weeks',
    },
    {
      table: 'sent_code',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      orderBy: 'id',
      reason: 'a code is useless after it expires; limits count the last hour',
    },
    {
      table: 'pending_sign_in',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      reason: 'a sign-in that awaits its second factor is useless after ten minutes',
    },
    {
      table: 'passkey_challenge',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      reason: 'what an authenticator must sign is useless after five minutes',
    },
    {
      table: 'external_sign_in',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      reason: 'a visit to a provider is useless after ten minutes',
    },
    {
      table: 'personal_access_token',
      ageColumn: 'expires_at',
      keepFor: '90 days',
      where: 'expires_at is not null',
      smallBecause: 'a few keys per person',
      reason:
        'an expired API key stays in its list for a while, so that its name explains an error',
    },
    {
      table: 'oauth_record',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      reason: 'codes, tokens and pending consents of programs are useless after they expire',
    },
    {
      table: 'oauth_authorization',
      ageColumn: 'least(revoked_at, expires_at)',
      keepFor: '30 days',
      atLeastDays: 1,
      reason: 'which program had access to a company, to investigate a theft',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['person', 'oauth_client', 'oauth_signing_key'],
    },
    {
      until: 'removed by the person, or by an administrator who helps them sign in',
      tables: ['mfa_factor', 'recovery_code', 'passkey', 'person_identity', 'sso_identity'],
    },
  ],
};
