import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'connection_attempt',
      ageColumn: 'expires_at',
      keepFor: '0',
      reason: 'connecting an account takes less than ten minutes',
    },
    {
      table: 'connection',
      ageColumn: 'disconnected_at',
      keepFor: '90 days',
      atLeastDays: 1,
      where: 'disconnected_at is not null',
      reason: 'which account was connected, and until when; its tokens are deleted at once',
    },
  ],
  kept: [],
};
