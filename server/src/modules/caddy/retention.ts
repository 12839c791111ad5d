import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'caddy_code',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      orderBy: 'id',
      reason: 'a code is useless after it expires; limits count the last day',
    },
    {
      table: 'caddy_used_nonce',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      orderBy: 'hash',
      reason: 'an ID token is refused for its age by then',
    },
  ],
  kept: [
    {
      until: 'the account is deleted: it is who signs in',
      tables: ['caddy_account', 'caddy_identity'],
    },
    {
      until: 'the account is deleted',
      tables: ['caddy_invitation', 'caddy_review'],
    },
    { until: 'the account is deleted: they count for 30 days', tables: ['caddy_replacement'] },
  ],
};
