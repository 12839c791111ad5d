import type { SystemSourceKey } from '#contract/tracking/rules';

/** Words of `utm_medium` that mean the visit was paid for. */
export const paidMediums: ReadonlySet<string> = new Set([
  ...['cpc', 'ppc', 'paid', 'paidsearch', 'paid search', 'display', 'paidsocial', 'paid social'],
  ...['cpm', 'cpv', 'banner', 'retargeting', 'remarketing', 'sem', 'paid video'],
]);

/** Words of `utm_medium` that name a source by themselves. */
export const sourceMediums: Readonly<Record<string, SystemSourceKey>> = {
  email: 'email',
  'e mail': 'email',
  newsletter: 'email',
  sms: 'sms',
  text: 'sms',
  mms: 'sms',
  print: 'print',
  radio: 'radio',
  tv: 'tv',
  billboard: 'billboard',
  'direct mail': 'direct_mail',
};

/** A platform's words in `utm_source`, and the source with and without a paid medium. */
interface Platform {
  tokens: readonly string[];
  paid: SystemSourceKey;
  organic: SystemSourceKey;
}
/** One source, whether it was paid for or not. */
const always = (key: SystemSourceKey, ...tokens: string[]): Platform => ({
  tokens,
  paid: key,
  organic: key,
});

/**
 * Exact words after `tokenOf`: a word that merely contains one of them is another word
 * ("not-linkedin" is not LinkedIn).
 */
const platforms: readonly Platform[] = [
  {
    tokens: ['google', 'google.com', 'www.google.com', 'google search'],
    paid: 'google_ads',
    organic: 'google_organic',
  },
  always('google_ads', 'googleads', 'adwords', 'google adwords', 'gads'),
  always(
    'google_business_profile',
    ...['gbp', 'gmb', 'google business', 'google business profile', 'google my business'],
    ...['googlebusiness', 'googlemybusiness', 'google maps', 'gmb listing', 'gbp listing'],
  ),
  {
    tokens: ['bing', 'bing.com', 'www.bing.com', 'microsoft', 'msn'],
    paid: 'bing_ads',
    organic: 'bing_organic',
  },
  always('bing_ads', 'bingads', 'microsoft ads', 'microsoft advertising'),
  always('yahoo_organic', 'yahoo', 'yahoo.com', 'search.yahoo.com', 'yahoo search'),
  always('duckduckgo', 'duckduckgo', 'duckduckgo.com', 'ddg'),
  {
    tokens: ['facebook', 'facebook.com', 'm.facebook.com', 'www.facebook.com', 'fb', 'meta'],
    paid: 'facebook_ads',
    organic: 'facebook_organic',
  },
  {
    tokens: ['instagram', 'instagram.com', 'l.instagram.com', 'ig', 'insta'],
    paid: 'instagram_ads',
    organic: 'instagram_organic',
  },
  { tokens: ['tiktok', 'tiktok.com', 'tik tok'], paid: 'tiktok_ads', organic: 'tiktok_organic' },
  {
    tokens: ['linkedin', 'linkedin.com', 'www.linkedin.com', 'lnkd.in'],
    paid: 'linkedin_ads',
    organic: 'linkedin_organic',
  },
  always('x_organic', 'x', 'x.com', 'twitter', 'twitter.com', 't.co'),
  always('youtube', 'youtube', 'youtube.com', 'yt', 'youtu.be'),
  always('pinterest', 'pinterest', 'pinterest.com', 'pin.it'),
  always('yelp', 'yelp', 'yelp.com'),
  always('nextdoor', 'nextdoor', 'nextdoor.com', 'next door'),
  always(
    'ai_assistant',
    ...['chatgpt', 'chatgpt.com', 'openai', 'chat.openai.com', 'perplexity', 'perplexity.ai'],
    ...['claude', 'claude.ai', 'gemini', 'gemini.google.com', 'copilot', 'copilot.microsoft.com'],
  ),
  always('vehicle_listing', 'cars.com', 'autotrader', 'autotrader.com', 'cargurus', 'cargurus.com'),
];

/** Keys that may be written into `utm_source` as they are, such as `radio` on a printed address. */
const writtenKeys: readonly SystemSourceKey[] = [
  ...([
    'google_ads',
    'google_ads_call_asset',
    'google_organic',
    'google_business_profile',
  ] as const),
  ...(['bing_ads', 'bing_organic', 'yahoo_organic', 'facebook_ads', 'facebook_organic'] as const),
  ...(['instagram_ads', 'instagram_organic', 'tiktok_ads', 'tiktok_organic'] as const),
  ...(['linkedin_ads', 'linkedin_organic', 'x_organic', 'ai_assistant', 'email', 'sms'] as const),
  ...(['print', 'radio', 'tv', 'billboard', 'direct_mail', 'vehicle_listing'] as const),
  ...(['referral', 'direct', 'other', 'unknown'] as const),
];

const byToken = new Map<string, Platform>([
  ...writtenKeys.map((key) => [key.replaceAll('_', ' '), always(key)] as const),
  ...platforms.flatMap((platform) => platform.tokens.map((token) => [token, platform] as const)),
]);

/** The sources of a word in `utm_source`; undefined for words we don't know. */
export const platformOf = (token: string): Platform | undefined => byToken.get(token);

/**
 * Click IDs that platforms add to links (A8.2), in their order: the source, and the one without a
 * paid medium where the platform marks unpaid links as well.
 */
export const clickIds: readonly {
  name: string;
  paid: SystemSourceKey;
  unpaid?: SystemSourceKey;
}[] = [
  { name: 'gclid', paid: 'google_ads' },
  { name: 'gbraid', paid: 'google_ads' },
  { name: 'wbraid', paid: 'google_ads' },
  { name: 'msclkid', paid: 'bing_ads' },
  { name: 'fbclid', paid: 'facebook_ads', unpaid: 'facebook_organic' },
  { name: 'ttclid', paid: 'tiktok_ads' },
  { name: 'li_fat_id', paid: 'linkedin_ads' },
  { name: 'twclid', paid: 'x_organic' },
];

/** The words of `utm_source` and `utm_medium` that can give a visit to a source, as they are shown. */
export const tokensOf = (key: string): { name: string; token: string }[] => [
  ...[...byToken].flatMap(([token, { paid, organic }]) =>
    paid === key || organic === key ? [{ name: 'utm_source', token }] : [],
  ),
  ...Object.entries(sourceMediums).flatMap(([token, source]) =>
    source === key ? [{ name: 'utm_medium', token }] : [],
  ),
];
