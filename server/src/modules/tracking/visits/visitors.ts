/** Browsers that nobody looks at: crawlers, previews, checks, and browsers without a screen. */
const bots =
  /bot\b|bot\/|crawl|spider|slurp|headless|phantomjs|puppeteer|playwright|selenium|lighthouse|pagespeed|pingdom|uptime|monitor|preview|facebookexternalhit|whatsapp|embedly|curl|wget|python|java\/|go-http|okhttp|axios|node-fetch|libwww|httpclient|scrapy/i;

/** True for a visitor who gets no number of their own, because no person sees it. */
export const isBot = (userAgent: string | null | undefined): boolean =>
  !userAgent || userAgent.length < 20 || bots.test(userAgent);

/** The kind of device that a browser says it runs on. */
export function deviceOf(userAgent: string): 'desktop' | 'mobile' | 'tablet' {
  if (/ipad|tablet|(?:android(?!.*mobile))/i.test(userAgent)) return 'tablet';
  return /mobi|iphone|android/i.test(userAgent) ? 'mobile' : 'desktop';
}
