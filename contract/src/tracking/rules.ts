/** Where a source of visitors belongs in reports (A8.2). */
export const sourceGroups = [
  'paid_search',
  'organic_search',
  'paid_social',
  'organic_social',
  'maps',
  'referral',
  'email',
  'sms',
  'display',
  'video',
  'direct',
  'offline',
  'other',
] as const;
export type SourceGroup = (typeof sourceGroups)[number];

export const sourceKinds = ['online', 'offline'] as const;
export type SourceKind = (typeof sourceKinds)[number];

interface SystemSource {
  key: string;
  label: string;
  kind: SourceKind;
  group: SourceGroup;
}

const online = <const K extends string>(key: K, label: string, group: SourceGroup) =>
  ({ key, label, kind: 'online', group }) as const satisfies SystemSource;
const offline = <const K extends string>(key: K, label: string) =>
  ({ key, label, kind: 'offline', group: 'offline' }) as const satisfies SystemSource;

/**
 * The sources every company has. A source's ID is its place in this list, starting at 1, so new
 * ones go to the end.
 */
export const systemSources = [
  online('google_ads', 'Google Ads', 'paid_search'),
  online('google_ads_call_asset', 'Google Ads call asset', 'paid_search'),
  online('google_organic', 'Google Search', 'organic_search'),
  online('google_business_profile', 'Google Business Profile', 'maps'),
  online('bing_ads', 'Microsoft Advertising', 'paid_search'),
  online('bing_organic', 'Bing', 'organic_search'),
  online('yahoo_organic', 'Yahoo', 'organic_search'),
  online('duckduckgo', 'DuckDuckGo', 'organic_search'),
  online('facebook_ads', 'Facebook Ads', 'paid_social'),
  online('facebook_organic', 'Facebook', 'organic_social'),
  online('instagram_ads', 'Instagram Ads', 'paid_social'),
  online('instagram_organic', 'Instagram', 'organic_social'),
  online('tiktok_ads', 'TikTok Ads', 'paid_social'),
  online('tiktok_organic', 'TikTok', 'organic_social'),
  online('linkedin_ads', 'LinkedIn Ads', 'paid_social'),
  online('linkedin_organic', 'LinkedIn', 'organic_social'),
  online('x_organic', 'X', 'organic_social'),
  online('youtube', 'YouTube', 'video'),
  online('pinterest', 'Pinterest', 'organic_social'),
  online('yelp', 'Yelp', 'referral'),
  online('nextdoor', 'Nextdoor', 'organic_social'),
  online('ai_assistant', 'AI assistants', 'referral'),
  online('email', 'Email', 'email'),
  online('sms', 'Text messages', 'sms'),
  online('referral', 'Other websites', 'referral'),
  online('direct', 'Direct', 'direct'),
  offline('print', 'Print'),
  offline('radio', 'Radio'),
  offline('tv', 'TV'),
  offline('billboard', 'Billboard'),
  offline('direct_mail', 'Direct mail'),
  online('vehicle_listing', 'Vehicle listings', 'referral'),
  online('other', 'Other', 'other'),
  online('unknown', 'Unknown', 'other'),
] as const;
export type SystemSourceKey = (typeof systemSources)[number]['key'];

/** Why a rule that looked at a visit didn't decide its source. */
export const lostReasons = [
  'decided_earlier',
  'unknown_value',
  'needs_paid_medium',
  'empty_value',
  'same_site',
  'return_visit',
  'unreadable',
] as const;
export type LostReason = (typeof lostReasons)[number];

/** How many sources of its own a company can have, and how many rules each. */
export const sourceLimits = { sources: 100, rules: 30 } as const;
