import type { DeliveryEvent } from '../rules.ts';

/** What Google Analytics takes (A16.3). Browsers load this. */

/** Our facts that can be sent. Who called is never among them. */
export const ga4Fields = [
  'call_id',
  'tracking_number',
  'call_outcome',
  'call_duration',
  'source',
  'medium',
  'campaign',
  'term',
  'content',
  'landing_page',
  'department',
  'first_time_caller',
  'engagement_time_msec',
  'session_id',
  'qualified',
  'outcome_tags',
  'number_label',
] as const;
export type Ga4Field = (typeof ga4Fields)[number];
const sentByDefault = ga4Fields.slice(0, 14);
export const ga4DefaultParameters = Object.fromEntries(
  sentByDefault.map((field) => [field, field]),
) as Partial<Record<Ga4Field, string>>;

/** Names of events and parameters. */
export const ga4Name = /^[a-z][a-z0-9_]{0,39}$/;
/** Names that Google keeps for itself. */
const reservedEvents = new Set([
  ...['ad_activeview', 'ad_click', 'ad_exposure', 'ad_query', 'ad_reward', 'adunit_exposure'],
  ...['app_clear_data', 'app_exception', 'app_install', 'app_remove', 'app_store_refund'],
  ...['app_store_subscription_cancel', 'app_store_subscription_convert', 'app_update'],
  ...['app_store_subscription_renew', 'app_upgrade', 'click', 'dynamic_link_app_open', 'error'],
  ...['dynamic_link_app_update', 'dynamic_link_first_open', 'file_download', 'first_open'],
  ...['first_visit', 'form_start', 'form_submit', 'in_app_purchase', 'notification_dismiss'],
  ...['notification_foreground', 'notification_open', 'notification_receive', 'os_update'],
  ...[
    'notification_send',
    'page_view',
    'scroll',
    'screen_view',
    'session_start',
    'user_engagement',
  ],
  ...['session_start_with_rollout', 'video_complete', 'video_progress', 'video_start'],
  ...['view_search_results'],
]);
const reservedPrefix = /^(?:_|ga_|google_|gtag_|firebase_)/;
/** Whether an event can't be called this. */
export const isReservedEvent = (name: string): boolean =>
  reservedEvents.has(name) || reservedPrefix.test(name);
/** Whether a parameter can't be called this. */
export const isReservedParameter = (name: string): boolean =>
  reservedPrefix.test(name) || name === 'firebase_conversion';

/** What an event is called unless someone says otherwise. */
export const ga4EventName = (trigger: DeliveryEvent): string =>
  trigger === 'qualified'
    ? 'call_qualified'
    : trigger === 'message.received'
      ? 'sms_lead'
      : 'phone_call';

export const ga4Limits = {
  eventsPerRequest: 25,
  parameters: 25,
  hoursBack: 72,
  value: 100,
} as const;
