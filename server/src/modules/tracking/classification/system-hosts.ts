import type { SystemSourceKey } from '#contract/tracking/rules';
import type { Address } from './read-landing.ts';

/** Websites with all their subdomains: `google` is matched apart, because it has a domain per country. */
const sites: Readonly<Record<string, SystemSourceKey>> = {
  'bing.com': 'bing_organic',
  'cc.bingj.com': 'bing_organic',
  'search.yahoo.com': 'yahoo_organic',
  'search.yahoo.co.jp': 'yahoo_organic',
  'yahoo.com': 'yahoo_organic',
  'duckduckgo.com': 'duckduckgo',
  'facebook.com': 'facebook_organic',
  'fb.com': 'facebook_organic',
  'fb.me': 'facebook_organic',
  'messenger.com': 'facebook_organic',
  'instagram.com': 'instagram_organic',
  'tiktok.com': 'tiktok_organic',
  'linkedin.com': 'linkedin_organic',
  'lnkd.in': 'linkedin_organic',
  't.co': 'x_organic',
  'x.com': 'x_organic',
  'twitter.com': 'x_organic',
  'youtube.com': 'youtube',
  'youtu.be': 'youtube',
  'youtube-nocookie.com': 'youtube',
  'pin.it': 'pinterest',
  'nextdoor.com': 'nextdoor',
  'nextdoor.co.uk': 'nextdoor',
  'chatgpt.com': 'ai_assistant',
  'chat.openai.com': 'ai_assistant',
  'perplexity.ai': 'ai_assistant',
  'claude.ai': 'ai_assistant',
  'gemini.google.com': 'ai_assistant',
  'bard.google.com': 'ai_assistant',
  'notebooklm.google.com': 'ai_assistant',
  'copilot.microsoft.com': 'ai_assistant',
  'chat.deepseek.com': 'ai_assistant',
  'chat.mistral.ai': 'ai_assistant',
  'meta.ai': 'ai_assistant',
  'grok.com': 'ai_assistant',
  'poe.com': 'ai_assistant',
  'mail.google.com': 'email',
  'mail.yahoo.com': 'email',
  'mail.aol.com': 'email',
  'mail.proton.me': 'email',
  'outlook.live.com': 'email',
  'outlook.office.com': 'email',
  'outlook.office365.com': 'email',
  'maps.google.com': 'google_business_profile',
  'business.google.com': 'google_business_profile',
  'googleadservices.com': 'google_ads',
  'doubleclick.net': 'google_ads',
  'googlesyndication.com': 'google_ads',
  'webcache.googleusercontent.com': 'google_organic',
  'cars.com': 'vehicle_listing',
  'autotrader.com': 'vehicle_listing',
  'cargurus.com': 'vehicle_listing',
  'truecar.com': 'vehicle_listing',
  'edmunds.com': 'vehicle_listing',
  'carfax.com': 'vehicle_listing',
  'kbb.com': 'vehicle_listing',
};

/** Apps that name themselves as referrer instead of a website. */
const apps: Readonly<Record<string, SystemSourceKey>> = {
  'com.google.android.googlequicksearchbox': 'google_organic',
  'com.google.android.apps.maps': 'google_business_profile',
  'com.google.android.gm': 'email',
  'com.google.android.youtube': 'youtube',
  'com.google.android.apps.bard': 'ai_assistant',
  'com.microsoft.bing': 'bing_organic',
  'com.microsoft.office.outlook': 'email',
  'com.yahoo.mobile.client.android.mail': 'email',
  'com.duckduckgo.mobile.android': 'duckduckgo',
  'com.facebook.katana': 'facebook_organic',
  'com.facebook.lite': 'facebook_organic',
  'com.facebook.orca': 'facebook_organic',
  'com.instagram.android': 'instagram_organic',
  'com.zhiliaoapp.musically': 'tiktok_organic',
  'com.linkedin.android': 'linkedin_organic',
  'com.twitter.android': 'x_organic',
  'com.pinterest': 'pinterest',
  'com.yelp.android': 'yelp',
  'com.nextdoor': 'nextdoor',
  'com.openai.chatgpt': 'ai_assistant',
  'ai.perplexity.app.android': 'ai_assistant',
  'com.google.android.apps.messaging': 'sms',
};

/**
 * Where visitors go from the site and come back: to pay, or to sign in. Coming back is no new touch.
 */
const returnSites: ReadonlySet<string> = new Set([
  ...['paypal.com', 'stripe.com', 'stripe.network', 'link.com', 'braintreegateway.com'],
  ...['braintreepayments.com', 'authorize.net', 'adyen.com', 'klarna.com', 'affirm.com'],
  ...['afterpay.com', 'clearpay.co.uk', 'sezzle.com', 'squareup.com', 'square.link', 'shop.app'],
  ...['checkout.shopify.com', 'pay.google.com', 'payments.google.com', 'pay.amazon.com'],
  ...[
    'payments.amazon.com',
    'carecredit.com',
    'cherrypayments.com',
    'worldpay.com',
    '2checkout.com',
  ],
  ...['mollie.com', 'cardinalcommerce.com', 'accounts.google.com', 'appleid.apple.com'],
  ...['login.microsoftonline.com', 'login.live.com'],
]);

/** The most specific site of a table that a host is, or belongs to; undefined when none. */
function siteOf<T>(host: string, known: (site: string) => T | undefined): T | undefined {
  const labels = host.split('.');
  for (let from = 0; from < labels.length - 1; from++) {
    const found = known(labels.slice(from).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** google.com, google.de, google.co.uk, google.com.au and no name that only contains one. */
const googleSite = /(?:^|\.)google\.(?:com|cat|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})$/;
/** Google's search itself; its other hosts, such as docs, are websites like any other. */
const googleSearch = /^(?:(?:www|m|cse|images|encrypted)\.)?google\.[a-z.]+$/;
/** The two sites that have a domain per country as well. */
const countrySites = /^(?:[a-z]+\.)*(pinterest|yelp)\.(?:com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})$/;

/** The source of a referrer that everyone knows; null: it is a website like any other. */
export function knownReferrer({ host, path, app }: Address): SystemSourceKey | null {
  if (app) return (Object.hasOwn(apps, host) && apps[host]) || null;
  if (googleSite.test(host) && googleSearch.test(host))
    return path.startsWith('/maps') ? 'google_business_profile' : 'google_organic';
  const [, country] = countrySites.exec(host) ?? [];
  if (country) return country as 'pinterest' | 'yelp';
  // A page that Google serves from its cache was found there.
  if (publisherOf(host) && host.endsWith('.ampproject.org')) return 'google_organic';
  return siteOf(host, (site) => (Object.hasOwn(sites, site) ? sites[site] : undefined)) ?? null;
}

/** True for hosts that visitors are sent to and come back from. */
export const isReturnHost = (host: string): boolean =>
  siteOf(host, (site) => returnSites.has(site) || undefined) === true;

/**
 * The website whose page a cache or translator serves: `www-example-com.cdn.ampproject.org` is
 * `www.example.com`. Null for other hosts.
 */
export function publisherOf(host: string): string | null {
  const [, name] = /^([a-z0-9-]+)\.(?:cdn\.ampproject\.org|translate\.goog)$/.exec(host) ?? [];
  // A hyphen of the name itself is written twice.
  return name ? name.replace(/--|-/g, (found) => (found === '--' ? '-' : '.')) : null;
}

/** True when a host is this site, or belongs to it; `*.example.com` is every subdomain. */
export function belongsTo(host: string, site: string): boolean {
  const wanted = site
    .toLowerCase()
    .replace(/^\*\./, '')
    .replace(/:\d+$/, '')
    .replace(/^www\./, '');
  return wanted !== '' && (host === wanted || host.endsWith(`.${wanted}`));
}

/** The websites and apps of a source, as they are shown. */
export const siteNamesOf = (key: string): string[] => [
  ...(key === 'google_organic' ? ['google.*'] : []),
  ...(key === 'pinterest' || key === 'yelp' ? [`${key}.*`] : []),
  ...[...Object.entries(sites), ...Object.entries(apps)].flatMap(([name, source]) =>
    source === key ? [name] : [],
  ),
];
