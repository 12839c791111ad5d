import { useCallback, useEffect, useRef } from 'react';
import { teamwork } from '#contract';
import type { There } from '#contract/teamwork';
import { presenceSeconds } from '#contract/teamwork';
import { ask, useAsk, useNow } from '#ui';

const renewMs = 40_000,
  againMs = 4000,
  restMs = 6000;

/** Tell colleagues that one looks at a conversation or writes in it, and hear who else does. `wrote` with every key. */
export function usePresence(conversationId: number): {
  others: There[];
  wrote: () => void;
  stopped: () => void;
} {
  const { answer } = useAsk(
    teamwork.listPresence,
    { params: { id: conversationId } },
    { freshMs: 20_000, quiet: true },
  );
  const told = useRef<{ state: 'viewing' | 'replying' | 'away'; at: number }>({
    state: 'away',
    at: 0,
  });
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useCallback(
    (state: 'viewing' | 'replying' | 'away'): void => {
      told.current = { state, at: Date.now() };
      void ask(
        teamwork.tellPresence,
        { params: { id: conversationId }, body: { state } },
        { quiet: true },
      ).catch(() => null); // nobody is hurt by not knowing
    },
    [conversationId],
  );

  useEffect(() => {
    // A moment, so that passing through with the keyboard tells nobody.
    const first = setTimeout(() => {
      if (told.current.state === 'away') tell('viewing');
    }, 700);
    const renew = setInterval(() => {
      if (document.visibilityState === 'visible' && told.current.state !== 'replying')
        tell('viewing');
    }, renewMs);
    return () => {
      clearTimeout(first);
      clearInterval(renew);
      clearTimeout(rest.current);
      if (told.current.state !== 'away') tell('away');
    };
  }, [tell]);

  const stopped = useCallback((): void => {
    clearTimeout(rest.current);
    if (told.current.state === 'replying') tell('viewing');
  }, [tell]);
  const wrote = useCallback((): void => {
    if (told.current.state !== 'replying' || Date.now() - told.current.at > againMs)
      tell('replying');
    clearTimeout(rest.current);
    rest.current = setTimeout(stopped, restMs);
  }, [tell, stopped]);
  return { others: useFading(answer?.data ?? []), wrote, stopped };
}

/** What was told fades by this computer's clock from the moment it was heard: clocks of two computers differ. */
function useFading(others: readonly There[]): There[] {
  const heard = useRef(new Map<string, number>());
  const now = useNow(2000);
  return others.flatMap((one) => {
    const key = `${one.id}:${one.state}:${one.at}`;
    if (!heard.current.has(key)) heard.current.set(key, Date.now());
    const ageSeconds = (now - heard.current.get(key)!) / 1000;
    if (ageSeconds < presenceSeconds[one.state]) return [one];
    return one.state === 'replying' && ageSeconds < presenceSeconds.viewing
      ? [{ ...one, state: 'viewing' as const }]
      : [];
  });
}
