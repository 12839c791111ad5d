import { counted } from './setting-rule.ts';

const share = [1, 100] as const;
/** A threshold of alerts. */
const limit = (
  initial: number,
  bounds: readonly [number, number],
  unit: string,
  label: string,
  help = '',
) => counted('alerts', initial, bounds, unit, label, help);

/** From when on alerts are raised (A17); the defaults are those of the specification. */
export const alertSettings = {
  alert_missed_percent: limit(
    40,
    share,
    '% of calls',
    'Many calls are missed',
    'Missed today, once there are ten calls.',
  ),
  alert_calls_deviations: limit(
    3,
    [1, 10],
    'deviations',
    'Far fewer or more calls than usual',
    'Standard deviations from the same hour of the last eight weeks. Higher: fewer alerts.',
  ),
  alert_number_silent_days: limit(
    7,
    [1, 60],
    'days',
    'A busy number is silent',
    'Without a call, for numbers that usually get one every day.',
  ),
  alert_forward_failing_percent: limit(
    90,
    share,
    '% of calls',
    'A forwarding number doesn’t answer',
    'Unanswered in 24 hours, once there are ten calls.',
  ),
  alert_short_calls: limit(
    5,
    [2, 1000],
    'calls',
    'Answered calls end within seconds',
    'Under ten seconds, to one number within 15 minutes.',
  ),
  alert_spam_calls: limit(
    20,
    [2, 10_000],
    'calls',
    'Many blocked calls at once',
    'Within 15 minutes.',
  ),
  alert_recordings_percent: limit(
    5,
    share,
    '% of recordings',
    'Recordings are missing',
    'Of the last 24 hours, once there are 20 recordings.',
  ),
  alert_transcripts_percent: limit(
    5,
    share,
    '% of transcripts',
    'Transcripts are failing',
    'Of the last 24 hours, once there are 20 transcripts.',
  ),
  alert_negative_percent: limit(
    30,
    share,
    '% of calls',
    'Many calls have a negative sentiment',
    'In 24 hours, once five calls have a known sentiment.',
  ),
  alert_delivered_percent: limit(
    90,
    share,
    '% of texts',
    'Texts aren’t delivered',
    'Raised when fewer are delivered in 24 hours, once there are 50 texts.',
  ),
  alert_opt_out_percent: limit(
    3,
    share,
    '% of people',
    'Many people opted out of a campaign',
    'Of those who got it, once there are 50 people.',
  ),
  alert_pool_exhausted: limit(
    5,
    [1, 10_000],
    'visitors',
    'A pool ran out of numbers',
    'Visitors of one hour without a number of their own.',
  ),
  alert_pool_oversized_percent: limit(
    20,
    [1, 90],
    '% of numbers',
    'A pool has more numbers than it needs',
    'Most numbers in use at once within 30 days.',
  ),
  alert_matched_points: limit(
    30,
    share,
    'points',
    'Fewer calls are matched to a visitor',
    'How far the share falls below the week before, once there are 20 calls.',
  ),
  alert_unknown_points: limit(
    25,
    share,
    'points',
    'More calls without a known source',
    'How far the share rises above the week before, once there are 20 calls.',
  ),
  alert_script_silent_hours: limit(
    24,
    [1, 168],
    'hours',
    'Your website doesn’t report visits',
    'Without a page view, for websites with 100 or more in the week before.',
  ),
  alert_integration_silent_hours: limit(
    24,
    [1, 720],
    'hours',
    'A connected tool gets nothing',
    'Without a delivery, for tools that usually get one every day.',
  ),
  alert_key_unused_days: limit(90, [7, 365], 'days', 'An API key isn’t used', 'Without a request.'),
};
