/**
 * The script on customers' pages (decisions A8.3): it asks which number each visitor sees, shows
 * it in the form the page has, and reports the pages of the visit. It must never harm the page.
 */
import { followConsentMode } from './consent-mode.ts';
import {
  agree,
  debug,
  event,
  followAddress,
  getNumbers,
  leave,
  onReady,
  resume,
  session,
  start,
  swap,
} from './tracker.ts';
import { version } from './version.ts';
import { safely, whenVisited } from './when-ready.ts';

interface Page {
  DNI?: unknown;
}

interface Own {
  base: string;
  key: string;
  nonce: string;
}

/** Server and company from the script's own address, `…/t/{companyKey}/1/dni.js`; null: not ours. */
function ownAddress(): Own | null {
  const own = document.currentScript as HTMLScriptElement | null;
  const other = document.querySelector<HTMLScriptElement>('script[src*="/dni.js"]');
  for (const script of [own, other]) {
    const [, base, key] =
      /^(https?:\/\/[^/]+)\/t\/([\w-]+)\/[\d.]+\/dni\.js/.exec(script?.src ?? '') ?? [];
    if (script && base && key) return { base, key, nonce: script.nonce };
  }
  return null;
}

function begin({ base, key, nonce }: Own): void {
  const quiet =
    <A extends unknown[]>(run: (...args: A) => void) =>
    (...args: A): void =>
      safely(() => run(...args));
  const before = (window as Page).DNI;
  (window as Page).DNI = {
    version,
    swap: quiet(swap),
    getNumbers: quiet(getNumbers),
    onReady: quiet(onReady),
    session,
    consent: quiet((given: boolean) => agree(given, true)),
    event: quiet(event),
    debug,
  };
  if (!followConsentMode(agree))
    addEventListener(
      'load',
      quiet(() => followConsentMode(agree)),
    );
  whenVisited(quiet(() => start(base, key, nonce)));
  const follow = quiet(followAddress);
  const look = quiet(() => (document.hidden ? leave() : resume()));
  addEventListener('pagehide', quiet(leave));
  addEventListener('pageshow', look);
  addEventListener('popstate', follow);
  document.addEventListener('visibilitychange', look);
  (window as { navigation?: EventTarget }).navigation?.addEventListener(
    'currententrychange',
    follow,
  );
  // What the page asked for before we were here.
  if (Array.isArray(before)) before.forEach(safely);
}

safely(() => {
  const known = (window as Page).DNI as { version?: string } | undefined;
  const address = known?.version ? null : ownAddress();
  if (address) begin(address);
});
