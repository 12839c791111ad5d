import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchTexts, type CarriedText } from './sandbox.ts';

const pollMs = 700;
/** Milliseconds between polls while the page is hidden. */
const hiddenPollMs = 5000;

/** Polls all texts of an outside phone. `lost`: the server does not respond. */
export function useTexts(phone: string, shows?: string | undefined) {
  const [texts, setTexts] = useState<CarriedText[]>([]);
  const [unreachable, setLost] = useState(false);
  const after = useRef(0);
  const inFlight = useRef<Promise<void> | null>(null);
  const fetchNew = useCallback((): Promise<void> => {
    inFlight.current ??= fetchTexts(phone, shows, after.current)
      .then(
        (more) => {
          setLost(false);
          if (more.length === 0) return;
          after.current = Math.max(after.current, ...more.map((m) => m.id));
          setTexts((before) => {
            const known = new Set(before.map((m) => m.id));
            return [...before, ...more.filter((m) => !known.has(m.id))];
          });
        },
        () => setLost(true),
      )
      .finally(() => {
        inFlight.current = null;
      });
    return inFlight.current;
  }, [phone, shows]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let active = true;
    const poll = async (): Promise<void> => {
      await fetchNew();
      if (active)
        timer = setTimeout(
          () => void poll(),
          document.visibilityState === 'visible' ? pollMs : hiddenPollMs,
        );
    };
    void poll();
    const wake = (): void => {
      if (document.visibilityState === 'visible') void fetchNew();
    };
    document.addEventListener('visibilitychange', wake);
    return () => {
      active = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [fetchNew]);
  return { texts, lost: unreachable, refetch: fetchNew };
}
