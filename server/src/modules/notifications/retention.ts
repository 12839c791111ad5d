import { rowPerPerson, type Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'online_person',
      ageColumn: 'seen_at',
      keepFor: '1 day',
      smallBecause: rowPerPerson,
      reason: 'open apps report every minute',
    },
    {
      table: 'push_device',
      ageColumn: 'expired_at',
      keepFor: '30 days',
      atLeastDays: 1,
      where: 'expired_at is not null',
      reason: 'devices that uninstalled the app',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['notification_block', 'notification_setting'],
    },
    {
      until: 'done: the code that completes the work deletes the row',
      tables: ['notification_digest'],
    },
  ],
};
