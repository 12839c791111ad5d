/**
 * Only one tab of a browser has the phone, so that a call rings once and uses one of the browser's
 * few connections. The visible tab takes it over, unless the tab that has it is in a call.
 */

interface PhoneLock {
  /** Takes the phone from another tab; false when that tab is in a call. */
  takeOver(): Promise<boolean>;
  release(): void;
}
/** @param name which phone: apps of one browser have one each */
export function acquirePhoneLock(
  name: string,
  inCall: () => boolean,
  onChange: (here: boolean) => void,
): PhoneLock {
  if (!('locks' in navigator)) {
    onChange(true);
    return { takeOver: () => Promise.resolve(true), release: () => {} };
  }
  const end = new AbortController();
  let isOwner = false;
  let waiting = false;

  const take = (steal: boolean): void => {
    if (end.signal.aborted || isOwner || (waiting && !steal)) return;
    if (!steal) waiting = true;
    navigator.locks
      .request(name, steal ? { steal: true } : { signal: end.signal }, () => {
        if (end.signal.aborted) return;
        waiting = false;
        isOwner = true;
        onChange(true);
        return new Promise<void>((release) =>
          end.signal.addEventListener('abort', () => release(), { once: true }),
        );
      })
      .catch(() => {
        // Another tab took it: wait until that tab closes or this one becomes visible.
        waiting = false;
        if (end.signal.aborted) return;
        if (isOwner) {
          isOwner = false;
          onChange(false);
        }
        take(false);
      });
  };
  const takeOver = async (): Promise<boolean> => {
    if (isOwner) return true;
    const busy = await isBusyLockHeld(name);
    if (!busy) take(true);
    return !busy;
  };
  const takeOverIfVisible = async (): Promise<void> => {
    if (document.visibilityState === 'visible') await takeOver();
  };
  holdBusyLock(name, () => isOwner && inCall(), end.signal);
  const onVisibilityChange = (): void => void takeOverIfVisible();
  document.addEventListener('visibilitychange', onVisibilityChange);
  take(false);
  void takeOverIfVisible();
  // The lock is granted at once unless another tab has it.
  setTimeout(() => {
    if (!isOwner && !end.signal.aborted) onChange(false);
  }, 400);
  end.signal.addEventListener('abort', () =>
    document.removeEventListener('visibilitychange', onVisibilityChange),
  );
  return { takeOver, release: () => end.abort() };
}

const busyName = (name: string): string => `${name}.busy`;

const isBusyLockHeld = async (name: string): Promise<boolean> =>
  (await navigator.locks.query()).held?.some((l) => l.name === busyName(name)) ?? false;

/** Tells the other tabs that this one is in a call, while it is. */
function holdBusyLock(name: string, isBusy: () => boolean, end: AbortSignal): void {
  const watch = setInterval(() => {
    if (isBusy())
      void navigator.locks.request(busyName(name), { ifAvailable: true }, async (got) => {
        while (got && isBusy() && !end.aborted) await new Promise((r) => setTimeout(r, 500));
      });
  }, 500);
  end.addEventListener('abort', () => clearInterval(watch));
}
