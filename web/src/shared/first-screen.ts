import { cache } from './query-client.ts';

const LATEST_MS = 2000;
const CALM_MS = 50;

/**
 * Resolves when the first screen's requests are done, at most two seconds after the start. Anything
 * that can wait (the phone, live events, dialogs) loads afterwards, so that it does not compete
 * with the screen.
 */
export const firstScreenReady = new Promise<void>((resolve) => {
  let calm: ReturnType<typeof setTimeout> | undefined;
  const done = (): void => {
    clearTimeout(calm);
    clearTimeout(latest);
    stop();
    resolve();
  };
  const latest = setTimeout(done, LATEST_MS);
  const stop = cache.getQueryCache().subscribe(() => {
    clearTimeout(calm);
    if (cache.isFetching() === 0) calm = setTimeout(done, CALM_MS);
  });
});
