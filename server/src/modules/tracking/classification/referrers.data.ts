import type { SystemSourceKey } from '#contract/tracking/rules';
import type { ExpectedLandings } from './landings.data.ts';

const from = (source: SystemSourceKey, ...referrers: string[]): ExpectedLandings => ({
  source,
  rule: 'referrer.known',
  landings: referrers.map((referrer) => `/ < ${referrer}`),
});
const fromOther = (...referrers: string[]): ExpectedLandings => ({
  source: 'referral',
  rule: 'referrer.other',
  landings: referrers.map((referrer) => `/ < ${referrer}`),
});
const are = (source: SystemSourceKey, rule: string, ...landings: string[]): ExpectedLandings => ({
  source,
  rule,
  landings,
});

/** Step 5: websites and apps that everyone knows. */
const known: ExpectedLandings[] = [
  from(
    'google_organic',
    ...[
      'https://www.google.com/',
      'https://google.com',
      'http://www.google.de/',
      'https://google.co.uk/',
    ],
    ...[
      'https://www.google.com.au/search?q=dentist',
      'HTTPS://WWW.GOOGLE.COM/',
      'www.google.com/search',
    ],
    ...['https://www.google.com./', 'https://www.google.com:443/', 'https://m.google.com/'],
    ...['https://images.google.com/', 'https://www.google.cat/'],
    'https://www.google.com/amp/s/www.harbordental.example/amp/',
    'https://webcache.googleusercontent.com/search?q=cache:x',
    'https://blog-example-org.cdn.ampproject.org/v/s/blog.example.org/post',
    'android-app://com.google.android.googlequicksearchbox/',
    'android-app://com.google.android.googlequicksearchbox/https/www.google.com',
  ),
  from(
    'google_business_profile',
    'https://maps.google.com/',
    'https://www.google.com/maps/place/x',
  ),
  from(
    'google_business_profile',
    'https://business.google.com/',
    'android-app://com.google.android.apps.maps/',
  ),
  from('google_ads', 'https://www.googleadservices.com/pagead/aclk', 'https://ad.doubleclick.net/'),
  from('google_ads', 'https://googleads.g.doubleclick.net/x', 'https://tpc.googlesyndication.com/'),
  from(
    'bing_organic',
    'https://www.bing.com/search?q=x',
    'https://bing.com/',
    'https://cn.bing.com/',
  ),
  from('bing_organic', 'http://cc.bingj.com/cache.aspx?q=x', 'android-app://com.microsoft.bing/'),
  from(
    'yahoo_organic',
    'https://search.yahoo.com/',
    'https://r.search.yahoo.com/',
    'https://uk.search.yahoo.com/',
  ),
  from('yahoo_organic', 'https://www.yahoo.com/', 'https://search.yahoo.co.jp/'),
  from('duckduckgo', 'https://duckduckgo.com/', 'https://html.duckduckgo.com/'),
  from('duckduckgo', 'android-app://com.duckduckgo.mobile.android/'),
  from('facebook_organic', 'https://www.facebook.com/', 'https://l.facebook.com/l.php?u=x'),
  from('facebook_organic', 'https://lm.facebook.com/', 'http://m.facebook.com', 'https://fb.me/x'),
  from('facebook_organic', 'android-app://com.facebook.katana/', 'https://l.messenger.com/'),
  from('instagram_organic', 'https://www.instagram.com/', 'https://l.instagram.com/?u=x'),
  from('instagram_organic', 'android-app://com.instagram.android/'),
  from('tiktok_organic', 'https://www.tiktok.com/@harbor', 'https://vm.tiktok.com/x'),
  from('tiktok_organic', 'android-app://com.zhiliaoapp.musically/'),
  from(
    'linkedin_organic',
    'https://www.linkedin.com/feed/',
    'https://lnkd.in/x',
    'https://de.linkedin.com/',
  ),
  from('linkedin_organic', 'android-app://com.linkedin.android/'),
  from(
    'x_organic',
    'https://t.co/abc',
    'https://x.com/',
    'https://twitter.com/',
    'https://mobile.twitter.com/',
  ),
  from('x_organic', 'android-app://com.twitter.android/'),
  from(
    'youtube',
    'https://www.youtube.com/watch?v=x',
    'https://m.youtube.com/',
    'https://youtu.be/x',
  ),
  from('youtube', 'android-app://com.google.android.youtube/'),
  from(
    'pinterest',
    'https://www.pinterest.com/',
    'https://pin.it/x',
    'https://www.pinterest.co.uk/',
  ),
  from('pinterest', 'https://br.pinterest.com/', 'android-app://com.pinterest/'),
  from('yelp', 'https://www.yelp.com/biz/harbor', 'https://m.yelp.com/', 'https://www.yelp.ca/'),
  from('yelp', 'android-app://com.yelp.android/'),
  from(
    'nextdoor',
    'https://nextdoor.com/',
    'https://www.nextdoor.com/p/x',
    'android-app://com.nextdoor/',
  ),
  from(
    'ai_assistant',
    'https://chatgpt.com/',
    'https://chat.openai.com/',
    'https://www.perplexity.ai/',
  ),
  from(
    'ai_assistant',
    'https://claude.ai/',
    'https://gemini.google.com/',
    'https://copilot.microsoft.com/',
  ),
  from(
    'ai_assistant',
    'https://chat.deepseek.com/',
    'https://chat.mistral.ai/',
    'https://www.meta.ai/',
  ),
  from('ai_assistant', 'https://grok.com/', 'android-app://com.openai.chatgpt/'),
  from(
    'email',
    'https://mail.google.com/',
    'https://mail.yahoo.com/',
    'https://outlook.live.com/mail/',
  ),
  from('email', 'https://us-mg5.mail.yahoo.com/', 'android-app://com.google.android.gm/'),
  from('sms', 'android-app://com.google.android.apps.messaging/'),
  from(
    'vehicle_listing',
    'https://www.cars.com/',
    'https://www.autotrader.com/x',
    'https://cargurus.com/',
  ),
];

/** Step 6: any other website, also those whose names only look like one of the others. */
const other: ExpectedLandings[] = [
  fromOther(
    ...[
      'https://blog.example.org/post',
      'http://example.net',
      'example.net/page',
      'https://10.0.0.8/',
    ],
    ...[
      'https://notgoogle.com/',
      'https://google.com.evil.example/',
      'https://www.google.evil.example/',
    ],
    ...[
      'https://not-linkedin.com/',
      'https://linkedin.com.phish.example/',
      'https://myfacebook.com/',
    ],
    ...[
      'https://box.com/',
      'https://att.co/',
      'https://fedex.com/',
      'https://xn--bcher-kva.example/',
    ],
    ...[
      'https://docs.google.com/document/x',
      'https://news.google.com/',
      'https://www.openai.com/',
    ],
    ...['https://harbordental.example.evil.test/', 'https://notharbordental.example/'],
    ...['android-app://com.slack/', 'android-app://com.example.reader/', 'ios-app://544007664/'],
    ...[
      'https://www.ecosia.org/',
      'https://paypal.com.evil.test/',
      'https://en-wikipedia-org.translate.goog/',
    ],
    ...['https://constructor.example/', 'https://pinterest.evil.example/'],
  ),
  are(
    'referral',
    'referrer.other',
    ...[
      '?utm_source=not-linkedin < https://blog.example.org/',
      '?utm_medium=cpc < https://example.net/',
    ],
    ...['?utm_source= < https://example.net/', '?gclid= < https://example.net/'],
  ),
  are('linkedin_organic', 'referrer.known', '?utm_source=not-linkedin < https://www.linkedin.com/'),
  are(
    'google_organic',
    'referrer.known',
    '?utm_source=googley < https://www.google.com/',
    '?gclid= < https://google.com/',
  ),
];

/** Step 7: nothing that says where the visitor comes from. */
const nothing: ExpectedLandings[] = [
  are(
    'direct',
    'nothing.direct',
    ...[
      '/',
      '/contact',
      '?',
      '?page=2',
      '?utm_source=',
      '?utm_medium=cpc',
      '?utm_campaign=spring',
      '/#top',
    ],
    ...[
      '/ < null',
      '/ < about:blank',
      '/ < undefined',
      '/ < -',
      '/ < ht!tp://%%',
      '/ < chrome-extension://abc/',
    ],
    ...[
      '/ < file:///C:/page.html',
      '/ < localhost',
      '?fbclid=',
      '?gclid',
      '?%%%=%%%',
      '?=x',
      '?&&&&',
    ],
  ),
  are(
    'direct',
    'nothing.direct',
    ...['/ < https://www.harbordental.example/', '/ < https://harbordental.example/about'],
    ...['/ < http://blog.harbordental.example:8080/', '/ < https://booking.harbor-smiles.example/'],
    ...[
      '/ < https://www-harbordental-example.cdn.ampproject.org/',
      '/ < HTTPS://WWW.HARBORDENTAL.EXAMPLE',
    ],
    ...['/ < https://www-harbordental-example.translate.goog/'],
    ...[
      '/ < https://www.paypal.com/checkoutnow',
      '/ < https://checkout.stripe.com/pay',
      '/ < https://hooks.stripe.com/',
    ],
    ...[
      '/ < https://pay.google.com/',
      '/ < https://accounts.google.com/',
      '/ < https://www.klarna.com/',
    ],
    ...[
      '/thanks < https://secure.authorize.net/',
      '/ < https://appleid.apple.com/',
      '/ < https://shop.app/',
    ],
    ...['/ < https://login.microsoftonline.com/', '/ < https://www.carecredit.com/apply'],
    'https://shop.harbordental.example/ < https://harbordental.example/',
    'https://www-harbordental-example.cdn.ampproject.org/x < https://www.harbordental.example/',
  ),
  are(
    'other',
    'nothing.tagged',
    '?utm_source=not-linkedin',
    '?utm_source=newsletter',
    '?utm_source=linkedin2',
  ),
  are(
    'other',
    'nothing.tagged',
    '?utm_source=facebookads2027&utm_medium=cpc',
    '?utm_source=%F0%9F%A6%B7',
  ),
  are(
    'other',
    'nothing.tagged',
    '?utm_source=googl',
    '?utm_source=mygoogle&utm_medium=cpc',
    '?utm_source=xx',
  ),
  are(
    'other',
    'nothing.tagged',
    '?utm_source=constructor',
    '?utm_source=__proto__',
    '?utm_source=%E0%A4%A',
  ),
  are(
    'unknown',
    'nothing.unreadable',
    ...[
      'http://',
      'javascript:alert(1)',
      'http://[::1',
      'not a url',
      'ftp://harbordental.example/',
    ],
    ...['http://exa mple.com/', '%%%', 'file:///etc/passwd'],
  ),
];

export const landingsByReferrer = [...known, ...other, ...nothing];
