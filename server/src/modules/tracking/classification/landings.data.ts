import type { SystemSourceKey } from '#contract/tracking/rules';

/**
 * Landings and what they must be. A landing is a query or a whole address, and after ` < ` its
 * referrer. Without a scheme, a query belongs to the site of the tests.
 */
export interface ExpectedLandings {
  source: SystemSourceKey;
  rule: string;
  landings: readonly string[];
}
const are = (
  source: SystemSourceKey,
  rule: string,
  ...landings: readonly string[]
): ExpectedLandings => ({ source, rule, landings });

const google = 'https://www.google.com/';

/** Step 2: click IDs, alone and against everything that speaks against them. */
const clicked: ExpectedLandings[] = [
  are(
    'google_ads',
    'click.gclid',
    ...['?gclid=abc', '?GCLID=abc', '?Gclid=abc', '?gclid=abc&gclid=def', '?gclid=&gclid=abc'],
    ...[`?gclid=abc < ${google}`, '?a=1&b=2&gclid=abc#top', '?gclid=a%2Db', '#gclid=abc'],
    '?utm_source=newsletter&utm_medium=email&gclid=abc',
    '?utm_source=facebook&utm_medium=paidsocial&gclid=abc < https://l.facebook.com/',
    '?utm_source=gbp&utm_medium=organic&gclid=abc',
    '?utm_source=bing&utm_medium=cpc&gclid=abc < https://www.bing.com/',
    '?gclid=abc&fbclid=def',
    '?gclid=abc&msclkid=def',
    '?gclid=abc&utm_medium=referral < https://blog.example.org/',
    '?gclid=abc < https://www.paypal.com/checkout',
    '?gclid=abc < https://www.harbordental.example/before',
    '?amp;gclid=abc&amp;utm_source=x&amp;gclid=abc',
    '?gad_source=1&gclid=CjwKCAiA-abc_DEF.x',
    'https://www.harbordental.example/%E0%A4%A?gclid=abc',
    'HTTPS://WWW.HARBORDENTAL.EXAMPLE/?gclid=abc',
    'www.harbordental.example/?gclid=abc',
    '//www.harbordental.example/?gclid=abc',
    'http://user:pass@www.harbordental.example:8443/?gclid=abc',
    'http://[broken/?gclid=abc',
  ),
  are(
    'google_ads',
    'click.gbraid',
    '?gbraid=abc',
    `?gbraid=abc < ${google}`,
    '?GBRAID=x&utm_source=a',
  ),
  are('google_ads', 'click.gbraid', '?gbraid=abc&wbraid=def', '?gclid=&gbraid=abc'),
  are('google_ads', 'click.wbraid', '?wbraid=abc', '?wbraid=abc&msclkid=x', '?WBraid=abc'),
  are(
    'bing_ads',
    'click.msclkid',
    ...['?msclkid=abc', '?MSCLKID=abc', '?msclkid=abc&utm_source=google&utm_medium=cpc'],
    ...['?msclkid=abc < https://www.bing.com/', '?msclkid=a&fbclid=b&utm_medium=cpc'],
  ),
  are(
    'facebook_ads',
    'click.fbclid.paid',
    ...['?fbclid=abc&utm_medium=cpc', '?fbclid=abc&utm_medium=paid', '?fbclid=abc&utm_medium=PPC'],
    ...['?fbclid=abc&utm_medium=paidsocial', '?fbclid=abc&utm_medium=paid_social'],
    ...['?fbclid=abc&utm_medium=Paid%20Social', '?fbclid=abc&utm_medium=paid-social'],
    '?fbclid=abc&utm_source=facebook&utm_medium=cpc < https://m.facebook.com/',
    '?fbclid=abc&utm_source=newsletter&utm_medium=display',
  ),
  are(
    'facebook_organic',
    'click.fbclid',
    ...['?fbclid=abc', '?FBCLID=abc', '?fbclid=abc < https://l.facebook.com/'],
    ...['?fbclid=abc&utm_medium=social', '?fbclid=abc&utm_medium=', '?fbclid=abc&utm_medium=cpcs'],
    ...['?fbclid=abc&utm_source=newsletter&utm_medium=email', '?fbclid=abc&utm_medium=unpaid'],
    '?fbclid=abc < android-app://com.facebook.katana/',
  ),
  are(
    'instagram_organic',
    'click.fbclid',
    '?fbclid=abc&utm_source=ig',
    '?fbclid=a&utm_source=Instagram',
  ),
  are('instagram_organic', 'click.fbclid', '?fbclid=abc < https://l.instagram.com/'),
  are('instagram_ads', 'click.fbclid.paid', '?fbclid=a&utm_source=ig&utm_medium=paid'),
  are('instagram_ads', 'click.fbclid.paid', '?fbclid=a&utm_medium=cpc < https://l.instagram.com/'),
  are(
    'tiktok_ads',
    'click.ttclid',
    '?ttclid=abc',
    '?TTCLID=abc',
    '?ttclid=abc < https://www.tiktok.com/',
  ),
  are('linkedin_ads', 'click.li_fat_id', '?li_fat_id=abc', '?LI_FAT_ID=abc&utm_source=x'),
  are('x_organic', 'click.twclid', '?twclid=abc', '?twclid=abc < https://t.co/abc'),
];

/** Step 3: tags. */
const tagged: ExpectedLandings[] = [
  are(
    'google_ads',
    'utm.source',
    ...['?utm_source=google&utm_medium=cpc', '?utm_source=Google&utm_medium=CPC'],
    ...['?UTM_SOURCE=google&UTM_MEDIUM=ppc', '?utm_source=google.com&utm_medium=paid'],
    ...['?utm_source=google&utm_medium=paidsearch', '?utm_source=google&utm_medium=paid+search'],
    ...['?utm_source=google&utm_medium=display', '?utm_source=google%20&utm_medium=%20cpc'],
    ...['?utm_source=adwords&utm_medium=ppc', '?utm_source=google_ads', '?utm_source=google-ads'],
    ...[
      '?utm_source=google+ads',
      '?utm_source=google%2520ads',
      '?utm_medium=cpc&utm_source=google',
    ],
    ...[
      '?utm_source=google&utm_source=bing&utm_medium=cpc',
      '?gclid=&utm_source=google&utm_medium=cpc',
    ],
    ...['#utm_source=google&utm_medium=cpc', '#/booking?utm_source=google&utm_medium=cpc'],
    '?amp;utm_source=x&amp;utm_source=google&amp;utm_medium=cpc',
    '?utm_source=google&utm_medium=cpc < https://www.bing.com/search?q=dentist',
  ),
  are('google_ads_call_asset', 'utm.source', '?utm_source=google_ads_call_asset'),
  are(
    'google_business_profile',
    'utm.source',
    ...['?utm_source=gbp', '?utm_source=gmb', '?utm_source=GMB', '?utm_source=google+business'],
    ...[
      '?utm_source=google%20business',
      '?utm_source=google_business',
      '?utm_source=google-business',
    ],
    ...[
      '?utm_source=google_business_profile&utm_medium=organic',
      '?utm_source=Google%20My%20Business',
    ],
    ...[`?utm_source=gmb&utm_medium=organic < ${google}`, '?utm_source=gbp&utm_medium=cpc'],
    '?utm_source=gbp&utm_medium=email',
  ),
  are(
    'google_organic',
    'utm.source',
    '?utm_source=google',
    '?utm_source=google&utm_medium=organic',
  ),
  are(
    'google_organic',
    'utm.source',
    '?utm_source=google_organic',
    '?utm_source=google&utm_medium=cpcx',
  ),
  are(
    'bing_ads',
    'utm.source',
    '?utm_source=bing&utm_medium=cpc',
    '?utm_source=Microsoft&utm_medium=ppc',
  ),
  are('bing_ads', 'utm.source', '?utm_source=bing_ads', '?utm_source=msn&utm_medium=display'),
  are('bing_organic', 'utm.source', '?utm_source=bing', '?utm_source=bing.com&utm_medium=organic'),
  are(
    'yahoo_organic',
    'utm.source',
    '?utm_source=yahoo',
    '?utm_source=Yahoo.com&utm_medium=organic',
  ),
  are('duckduckgo', 'utm.source', '?utm_source=duckduckgo', '?utm_source=ddg'),
  are('facebook_ads', 'utm.source', '?utm_source=facebook&utm_medium=paidsocial'),
  are(
    'facebook_ads',
    'utm.source',
    '?utm_source=fb&utm_medium=cpc',
    '?utm_source=FB&utm_medium=Paid',
  ),
  are('facebook_ads', 'utm.source', '?utm_source=facebook_ads', '?utm_source=meta&utm_medium=paid'),
  are('facebook_organic', 'utm.source', '?utm_source=facebook', '?utm_source=fb&utm_medium=social'),
  are('facebook_organic', 'utm.source', '?utm_source=m.facebook.com&utm_medium=referral'),
  are('instagram_ads', 'utm.source', '?utm_source=ig&utm_medium=paid', '?utm_source=instagram_ads'),
  are('instagram_organic', 'utm.source', '?utm_source=ig', '?utm_source=instagram&utm_medium=bio'),
  are(
    'tiktok_ads',
    'utm.source',
    '?utm_source=tiktok&utm_medium=paid',
    '?utm_source=tik+tok&utm_medium=cpc',
  ),
  are('tiktok_organic', 'utm.source', '?utm_source=tiktok', '?utm_source=TikTok.com'),
  are(
    'linkedin_ads',
    'utm.source',
    '?utm_source=linkedin&utm_medium=cpc',
    '?utm_source=linkedin-ads',
  ),
  are(
    'linkedin_organic',
    'utm.source',
    '?utm_source=linkedin',
    '?utm_source=LinkedIn&utm_medium=social',
  ),
  are('x_organic', 'utm.source', '?utm_source=twitter', '?utm_source=x', '?utm_source=t.co'),
  are(
    'youtube',
    'utm.source',
    '?utm_source=youtube',
    '?utm_source=yt&utm_medium=cpc',
    '?utm_source=YouTube.com',
  ),
  are('pinterest', 'utm.source', '?utm_source=pinterest', '?utm_source=Pinterest&utm_medium=paid'),
  are('yelp', 'utm.source', '?utm_source=yelp', '?utm_source=yelp&utm_medium=cpc'),
  are('nextdoor', 'utm.source', '?utm_source=nextdoor', '?utm_source=Next+Door'),
  are(
    'ai_assistant',
    'utm.source',
    '?utm_source=chatgpt.com',
    '?utm_source=perplexity',
    '?utm_source=copilot',
  ),
  are(
    'email',
    'utm.medium',
    ...['?utm_medium=email', '?utm_source=mailchimp&utm_medium=email', '?utm_medium=Email'],
    ...['?utm_medium=e-mail', '?utm_source=newsletter&utm_medium=newsletter'],
    ...['?utm_source=facebook&utm_medium=email', '?utm_source=google&utm_medium=email'],
  ),
  are('email', 'utm.source', '?utm_source=email', '?utm_source=Email&utm_medium=march'),
  are(
    'sms',
    'utm.medium',
    '?utm_medium=sms',
    '?utm_source=trunkline&utm_medium=text',
    '?utm_medium=MMS',
  ),
  are('sms', 'utm.source', '?utm_source=sms', '?utm_source=SMS&utm_campaign=recall'),
  are('print', 'utm.medium', '?utm_medium=print', '?utm_source=herald&utm_medium=print'),
  are('print', 'utm.source', '?utm_source=print'),
  are('radio', 'utm.medium', '?utm_source=wxyz&utm_medium=radio'),
  are('radio', 'utm.source', '?utm_source=radio'),
  are('tv', 'utm.medium', '?utm_source=channel5&utm_medium=TV'),
  are('tv', 'utm.source', '?utm_source=tv'),
  are('billboard', 'utm.medium', '?utm_medium=billboard'),
  are('billboard', 'utm.source', '?utm_source=billboard'),
  are('direct_mail', 'utm.medium', '?utm_medium=direct_mail', '?utm_medium=direct-mail'),
  are('direct_mail', 'utm.source', '?utm_source=Direct+Mail'),
  are(
    'vehicle_listing',
    'utm.source',
    '?utm_source=vehicle_listing',
    '?utm_source=cars.com',
    '?utm_source=cargurus',
  ),
  are('referral', 'utm.source', '?utm_source=referral'),
  are('direct', 'utm.source', '?utm_source=direct'),
  are('other', 'utm.source', '?utm_source=other'),
  are('unknown', 'utm.source', '?utm_source=unknown'),
];

export const landingsByParameters = [...clicked, ...tagged];
