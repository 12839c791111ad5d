/**
 * One tab of a browser has the telephone, so that a call rings once and the browser's few connections are not spent on it.
 * The tab one looks at takes it over, unless the tab that has it is in a call.
 */
const NAME = 'trunkline.phone';
const BUSY = 'trunkline.phone.busy';

interface PhoneLock {
  /** Take it from another tab; false when that one is in a call. */
  take(): Promise<boolean>;
  release(): void;
}
export function holdPhoneLock(inCall: () => boolean, changed: (here: boolean) => void): PhoneLock {
  if (!('locks' in navigator)) {
    changed(true);
    return { take: () => Promise.resolve(true), release: () => {} };
  }
  const end = new AbortController();
  let has = false;
  let waiting = false;

  const take = (steal: boolean): void => {
    if (end.signal.aborted || has || (waiting && !steal)) return;
    if (!steal) waiting = true;
    navigator.locks
      .request(NAME, steal ? { steal: true } : { signal: end.signal }, () => {
        if (end.signal.aborted) return;
        waiting = false;
        has = true;
        changed(true);
        return new Promise<void>((release) =>
          end.signal.addEventListener('abort', () => release(), { once: true }),
        );
      })
      .catch(() => {
        // Another tab took it: wait until it closes or we are looked at.
        waiting = false;
        if (end.signal.aborted) return;
        if (has) {
          has = false;
          changed(false);
        }
        take(false);
      });
  };
  const takeOver = async (): Promise<boolean> => {
    if (has) return true;
    const busy = (await navigator.locks.query()).held?.some((l) => l.name === BUSY) ?? false;
    if (!busy) take(true);
    return !busy;
  };
  const looked = async (): Promise<void> => {
    if (document.visibilityState === 'visible') await takeOver();
  };
  const watch = setInterval(() => {
    if (has && inCall())
      void navigator.locks.request(BUSY, { ifAvailable: true }, async (got) => {
        while (got && has && inCall() && !end.signal.aborted)
          await new Promise((r) => setTimeout(r, 500));
      });
  }, 500);
  const onLook = (): void => void looked();
  document.addEventListener('visibilitychange', onLook);
  take(false);
  void looked();
  // Granted at once, or another tab has it.
  setTimeout(() => {
    if (!has && !end.signal.aborted) changed(false);
  }, 400);
  end.signal.addEventListener('abort', () => {
    clearInterval(watch);
    document.removeEventListener('visibilitychange', onLook);
  });
  return { take: takeOver, release: () => end.abort() };
}
