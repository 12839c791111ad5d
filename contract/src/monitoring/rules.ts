/** What alerts are about and when they are raised (A17). Browsers load this. */
import { accountKinds } from './account-kinds.ts';
import type { AlertRule } from './alert-rule.ts';
import { billingKinds } from './billing-kinds.ts';
import { saidKinds } from './said-kinds.ts';
import { trackingKinds } from './tracking-kinds.ts';

export { alertSeverities, alertSubjects, type AlertSeverity } from './alert-rule.ts';

export const alertStates = ['open', 'acknowledged', 'resolved', 'dismissed'] as const;
export type AlertState = (typeof alertStates)[number];
export const dismissReasons = ['not-relevant', 'already-aware', 'duplicate', 'other'] as const;
export type DismissReason = (typeof dismissReasons)[number];

/** How long an alert that was dismissed as not relevant stays away. Days. */
export const muteDays = 30;
/** Checks in a row that must find nothing before an alert resolves by itself. */
export const clearChecks = 2;

export const alertKinds = {
  missed_rate_high: {
    title: 'Many calls are missed',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      { text: 'See today’s missed calls', link: '/activity/calls?outcome=2&period=today' },
      { text: 'Check your opening hours', link: '/numbers/schedule' },
    ],
  },
  calls_drop: {
    title: 'Far fewer calls than usual',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      { text: 'Call your numbers to see that they ring', link: '/numbers' },
      { text: 'Check the carrier accounts', link: '/settings/carriers' },
    ],
  },
  calls_spike: {
    title: 'Far more calls than usual',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'See the latest calls', link: '/activity/calls?period=today' }],
  },
  number_silent: {
    title: 'A busy number is silent',
    severity: 'warning',
    subject: 'number',
    every: 'day',
    suggestions: [
      { text: 'Open the number and try its call flow', link: '/numbers/{id}/flow' },
      { text: 'See what happened to it', link: '/numbers/{id}/timeline' },
    ],
  },
  short_calls: {
    title: 'Answered calls end within seconds',
    severity: 'warning',
    subject: 'number',
    every: 'five_minutes',
    suggestions: [{ text: 'Listen to what callers hear', link: '/numbers/{id}/flow' }],
  },
  number_reputation: {
    title: 'Calls from a number show as spam',
    severity: 'warning',
    subject: 'number',
    // The source is asked once a day; what it said is read here.
    every: 'five_minutes',
    suggestions: [
      {
        text: 'Register the number with the networks, then check it again',
        link: '/numbers/{id}?tab=about',
      },
      { text: 'See what it called lately', link: '/activity/calls?number={id}&direction=outbound' },
    ],
  },
  spam_wave: {
    title: 'Many blocked calls at once',
    severity: 'info',
    subject: 'company',
    every: 'five_minutes',
    suggestions: [{ text: 'See your blocked numbers', link: '/settings/blocked' }],
  },
  forward_failing: {
    title: 'A forwarding number doesn’t answer',
    severity: 'critical',
    subject: 'forwardContact',
    every: 'hour',
    suggestions: [{ text: 'Check the forwarding number', link: '/numbers/forwarding' }],
  },
  recording_missing: {
    title: 'Recordings are missing',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      { text: 'See the latest calls', link: '/activity/calls' },
      { text: 'Check the carrier accounts', link: '/settings/carriers' },
    ],
  },
  transcription_failing: {
    title: 'Transcripts are failing',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [{ text: 'See the latest calls', link: '/activity/calls' }],
  },
  sms_delivery_low: {
    title: 'Texts aren’t delivered',
    severity: 'warning',
    subject: 'company',
    every: 'hour',
    suggestions: [
      { text: 'See undelivered texts and their reasons', link: '/activity/messages?state=trouble' },
      { text: 'Check your SMS verification', link: '/settings/sms-verification' },
    ],
  },
  sms_optout_high: {
    title: 'Many people opted out of a campaign',
    severity: 'warning',
    subject: 'campaign',
    every: 'quarter',
    suggestions: [{ text: 'See who opted out', link: '/campaigns/{id}/events' }],
  },
  // Beside the kinds of A17: until someone decides, campaigns leave these people out.
  opt_out_waiting: {
    title: 'Possible opt-outs wait for you',
    severity: 'warning',
    subject: 'company',
    every: 'quarter',
    suggestions: [{ text: 'Decide for each person', link: '/inbox?view=opt_outs' }],
  },
  campaign_paused_auto: {
    title: 'A campaign paused itself',
    severity: 'warning',
    subject: 'campaign',
    every: 'five_minutes',
    suggestions: [{ text: 'Open the campaign', link: '/campaigns/{id}/events' }],
  },
  port_action_required: {
    title: 'A port request waits for you',
    severity: 'warning',
    subject: 'port',
    every: 'five_minutes',
    suggestions: [{ text: 'Open port requests', link: '/numbers/ports' }],
  },
  sms_verification_action: {
    title: 'SMS verification waits for you',
    severity: 'critical',
    subject: 'smsVerification',
    every: 'five_minutes',
    suggestions: [{ text: 'Open SMS verification', link: '/settings/sms-verification' }],
  },
  ...trackingKinds,
  ...saidKinds,
  ...accountKinds,
  ...billingKinds,
} as const satisfies Record<string, AlertRule>;

export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]];
