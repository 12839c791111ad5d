import { useCallback, useEffect, useRef, useState } from 'react';
import { textsOf, type CarriedText } from './sandbox.ts';

const everyMs = 700;
/** Nobody looks: the phone sleeps, but does not switch off. */
const asleepMs = 5000;

/** All texts of an outside phone, asked for again and again. `lost`: the server does not answer. */
export function useTexts(phone: string) {
  const [texts, setTexts] = useState<CarriedText[]>([]);
  const [lost, setLost] = useState(false);
  const after = useRef(0);
  const asking = useRef<Promise<void> | null>(null);
  const ask = useCallback((): Promise<void> => {
    asking.current ??= textsOf(phone, after.current)
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
        asking.current = null;
      });
    return asking.current;
  }, [phone]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let stays = true;
    const round = async (): Promise<void> => {
      await ask();
      if (stays)
        timer = setTimeout(
          () => void round(),
          document.visibilityState === 'visible' ? everyMs : asleepMs,
        );
    };
    void round();
    const wake = (): void => {
      if (document.visibilityState === 'visible') void ask();
    };
    document.addEventListener('visibilitychange', wake);
    return () => {
      stays = false;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
    };
  }, [ask]);
  return { texts, lost, again: ask };
}
