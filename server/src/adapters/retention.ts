import type { Retention } from '../platform/retention-rule.ts';

/** How long what adapters remember is kept, and the books of the simulated carrier. */
export const retention: Retention = {
  rules: [
    {
      table: 'sandbox.push',
      ageColumn: 'at',
      keepFor: '7 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'pushes the sandbox stores instead of sending',
    },
    {
      table: 'sandbox.text',
      ageColumn: 'at',
      keepFor: '90 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'what the sandbox’s phones show',
    },
    {
      table: 'sandbox.picture',
      ageColumn: 'at',
      keepFor: '90 days',
      atLeastDays: 1,
      reason: 'pictures in those texts',
    },
    {
      table: 'sandbox.fax',
      ageColumn: 'at',
      keepFor: '90 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'what the sandbox’s fax machines show',
    },
    {
      table: 'sandbox.oauth_grant',
      ageColumn: 'created_at',
      keepFor: '90 days',
      atLeastDays: 31,
      orderBy: 'id',
      reason: 'consents at simulated providers; an account is connected again afterwards',
    },
    {
      table: 'sandbox.slack_message',
      ageColumn: 'at',
      keepFor: '90 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'what was posted in simulated Slack workspaces',
    },
    {
      table: 'sandbox.hubspot_object',
      ageColumn: 'created_at',
      keepFor: '90 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'contacts, calls and texts in simulated HubSpot accounts',
    },
    {
      table: 'sandbox.conversion',
      ageColumn: 'created_at',
      keepFor: '90 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'conversions that simulated advertising accounts count',
    },
    {
      table: 'carrier_leg',
      ageColumn: 'created_at',
      keepFor: '1 day',
      where: `state = 'ended'`,
      reason: 'adapter state of a leg',
    },
    {
      table: 'carrier_leg',
      ageColumn: 'created_at',
      keepFor: '8 days',
      reason: 'the same, for legs whose end was never reported',
    },
    {
      table: 'carrier_object',
      ageColumn: 'created_at',
      keepFor: '31 days',
      where: `kind not in ('registration', 'port')`,
      reason: 'adapter state of texts and recordings; registrations and ports take months',
    },
  ],
  kept: [
    { until: 'for good: the sandbox simulates it', tables: ['sandbox.dns_record'] },
    {
      until: 'for good: few rows, or the books of the simulated carrier',
      tables: [
        'sandbox_order',
        'sandbox.phone',
        'sandbox.port',
        'sandbox.registration',
        'sandbox.payment',
        'sandbox.refund',
      ],
    },
  ],
};
