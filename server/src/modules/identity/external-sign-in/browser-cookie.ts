import type { Http } from '../../../platform/routes.ts';
import type { Settings } from '../../../platform/settings.ts';
import { VISIT_MINUTES } from './rules.ts';

const isSecure = ({ publicUrl }: Pick<Settings, 'publicUrl'>) => publicUrl.startsWith('https:');
const nameFor = (settings: Pick<Settings, 'publicUrl'>) =>
  isSecure(settings) ? '__Host-trunkline_visit' : 'trunkline_visit';

/** Lets this browser, and no other, come back from the provider. */
export const setBrowserCookie = (
  http: Http,
  settings: Pick<Settings, 'publicUrl'>,
  browser: string,
): void => {
  void http.reply.setCookie(nameFor(settings), browser, {
    path: '/',
    httpOnly: true,
    // Lax: it must come along when the provider sends the browser back.
    sameSite: 'lax',
    secure: isSecure(settings),
    // At the provider, and as long again to finish here.
    maxAge: 2 * VISIT_MINUTES * 60,
  });
};
/** What `setBrowserCookie` left in this browser; null: nothing. */
export const browserOf = (http: Http, settings: Pick<Settings, 'publicUrl'>): string | null =>
  http.request.cookies[nameFor(settings)] ?? null;
/** Forgets the visit. */
export const clearBrowserCookie = (http: Http, settings: Pick<Settings, 'publicUrl'>): void => {
  void http.reply.clearCookie(nameFor(settings), { path: '/', secure: isSecure(settings) });
};
