/** A page that the server rendered and its scripts take over; a change before that is undone. */
const RENDERED =
  '#__next,#__nuxt,#___gatsby,#root>*,#app>*,[data-reactroot],[ng-server-context],astro-island';
const MOST_MS = 1500;

/** Runs something once a person is there: a page that is rendered ahead may never be seen. */
export function whenVisited(run: () => void): void {
  if ((document as Document & { prerendering?: boolean }).prerendering)
    document.addEventListener('prerenderingchange', run, { once: true });
  else run();
}

/**
 * Runs something once the page can be changed without harm: when it is read, or, where scripts take
 * over what the server rendered, after load and a quiet moment. After 1.5 s at most. It may run again
 * later, when that has nothing left to do.
 */
export function whenChangeable(run: () => void): void {
  setTimeout(run, MOST_MS);
  // Safari has no idle callback.
  const idle = (): unknown => (window.requestIdleCallback ?? setTimeout)(run);
  const read = (): void => {
    if (!document.querySelector(RENDERED)) run();
    else if (document.readyState === 'complete') idle();
    else addEventListener('load', idle);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', read);
  else read();
}

/** Runs something of the page's, or of ours, so that an error reaches nobody. */
export function safely(run: () => void): void {
  try {
    run();
  } catch {
    // The page goes on as if we weren't there.
  }
}
