import { chosen, counted, shaped, turned } from './setting-rule.ts';

export interface QualifiedRule {
  is_on: boolean;
  /** Least seconds of talk. */
  min_duration: number;
  /** IDs of tags, of which the call has one; empty: any call. */
  tags: number[];
  /** Outcomes, of which the call has one; empty: any call. */
  outcomes: string[];
}
/** Figures by email. */
export interface SummaryEmail {
  frequency: 'off' | 'daily' | 'weekly';
  recipients: string[];
}
/** Who is notified by default: channels by kind of event. */
type NotificationDefaults = Record<'missed' | 'voicemail' | 'message', ('app' | 'email')[]>;

const inApp: ('app' | 'email')[] = ['app'];

/** Settings of the company, its people and what it keeps (A20). */
export const companyWideSettings = {
  timezone: shaped(
    'company',
    'zone',
    'UTC',
    'Time zone',
    'Business hours, reports and new schedules use it. People can have their own.',
  ),
  locale: chosen(
    'company',
    'en-US',
    {
      'en-US': 'English (United States)',
      'en-CA': 'English (Canada)',
      'en-GB': 'English (United Kingdom)',
      'en-AU': 'English (Australia)',
    },
    'Region of numbers and month names',
  ),
  date_format: chosen(
    'company',
    'MMM D, YYYY',
    {
      'MMM D, YYYY': 'Nov 26, 2026',
      'D MMM YYYY': '26 Nov 2026',
      'MM/DD/YYYY': '11/26/2026',
      'DD/MM/YYYY': '26/11/2026',
      'YYYY-MM-DD': '2026-11-26',
    },
    'Dates',
  ),
  time_format: chosen('company', 'h:mm A', { 'h:mm A': '2:05 PM', 'HH:mm': '14:05' }, 'Times'),
  attribution_model_default: chosen(
    'tracking',
    'first_touch',
    { first_touch: 'First touch', last_touch: 'Last touch', linear: 'Linear' },
    'Attribution model without a pool',
    'A pool has a model of its own.',
  ),
  lookback_days: counted(
    'tracking',
    90,
    [1, 365],
    'days',
    'Look back for attribution without a pool',
    'Pools set theirs separately.',
  ),
  qualified_rule: shaped<QualifiedRule>(
    'tracking',
    'qualified_rule',
    { is_on: true, min_duration: 60, tags: [], outcomes: [] },
    'Qualified calls',
    'Inbound calls are qualified automatically, unless a person or a rule decides otherwise.',
  ),
  first_contact_window_days: counted(
    'tracking',
    90,
    [1, 365],
    'days',
    'A caller is new again after',
    'A first call is one from a number that hasn’t called for this long.',
  ),
  duplicate_caller_minutes: counted(
    'tracking',
    0,
    [0, 1440],
    'minutes',
    'Repeated calls count once within',
    'A caller who calls again within this time is qualified once. 0 counts every call.',
  ),
  users_can_configure_numbers: turned(
    'permissions',
    true,
    'Users can change settings of their numbers',
  ),
  users_can_purchase_numbers: turned('permissions', false, 'Users can buy and release numbers'),
  users_can_export: turned('permissions', true, 'Users can export lists'),
  users_can_bulk_contacts: turned(
    'permissions',
    false,
    'Users can import contacts and edit many at once',
  ),
  mask_contact_details_for_users: turned(
    'permissions',
    false,
    'Hide contact details from users',
    'They see that there’s a contact, but not the number, email or address.',
  ),
  reporting_can_edit_calls: turned(
    'permissions',
    true,
    'Reporting role can tag calls and add notes',
  ),
  approved_applications_only: turned(
    'security',
    false,
    'Only approved applications',
    'People connect only applications that this company registered or that come with Trunkline.',
  ),
  require_mfa: chosen(
    'security',
    'off',
    { off: 'No one', admins: 'Owners and administrators', all: 'Everyone' },
    'Two-step sign-in is required of',
    'People without it set it up at their next sign-in.',
  ),
  session_idle_minutes: counted(
    'security',
    720,
    [15, 1440],
    'minutes',
    'Sign out after inactivity of',
  ),
  allowed_ip_ranges: shaped<string[]>(
    'security',
    'networks',
    [],
    'Allowed networks',
    'Only these IP addresses and ranges can use this company. Empty: any.',
  ),
  recording_retention_days: counted(
    'retention',
    365,
    [30, 3650],
    'days',
    'Keep recordings for',
    'For new recordings on numbers without their own setting.',
  ),
  message_retention_days: counted(
    'retention',
    0,
    [0, 3650],
    'days',
    'Keep texts for',
    'Older texts are deleted for good. 0 keeps them.',
  ),
  call_retention_days: counted(
    'retention',
    0,
    [0, 3650],
    'days',
    'Keep call records for',
    'Older calls are deleted for good, with their recordings and transcripts, and no longer count in reports. 0 keeps them.',
  ),
  export_link_hours: counted(
    'retention',
    24,
    [1, 168],
    'hours',
    'Exported files are available for',
  ),
  notification_defaults: shaped<NotificationDefaults>(
    'notifications',
    'channels',
    { missed: inApp, voicemail: inApp, message: inApp },
    'Notifications of people who haven’t chosen their own',
  ),
  summary_email: shaped<SummaryEmail>(
    'notifications',
    'summary_email',
    { frequency: 'off', recipients: [] },
    'Summary by email',
    'Figures of the day or week before, in the morning of the company’s time zone.',
  ),
  spend_limit_cents: counted(
    'billing',
    0,
    [0, 100_000_000],
    'cents',
    'Spending limit per billing period',
    'For what is used beyond the plan. 0: no limit.',
  ),
  test_mode: turned('billing', false, 'Test mode', '', { scopes: ['company'], upcoming: true }),
};
