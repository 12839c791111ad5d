import { useCallback, useEffect, useRef } from 'react';
import { team } from '#contract';
import type { PresentUser } from '#contract/conversations/team/schemas';
import { presenceSeconds } from '#contract/conversations/team/rules';
import { api, useApiQuery, useNow } from '#ui';

const renewMs = 40_000,
  typingRenewMs = 4000,
  typingIdleMs = 6000;

/**
 * Reports that the user views a conversation or types in it (call `wrote` on every key), and
 * returns which teammates do.
 */
export function usePresence(conversationId: number): {
  others: PresentUser[];
  wrote: () => void;
  stopped: () => void;
} {
  const { response } = useApiQuery(
    team.listPresence,
    { params: { id: conversationId } },
    { staleTime: 20_000, silent: true },
  );
  const lastReport = useRef<{ state: 'viewing' | 'replying' | 'away'; at: number }>({
    state: 'away',
    at: 0,
  });
  const idleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const report = useCallback(
    (state: 'viewing' | 'replying' | 'away'): void => {
      lastReport.current = { state, at: Date.now() };
      void api(
        team.tellPresence,
        { params: { id: conversationId }, body: { state } },
        { silent: true, background: true },
      ).catch(() => null); // presence is optional, so errors are not shown
    },
    [conversationId],
  );

  useEffect(() => {
    // Delayed, so that passing through with the keyboard isn't reported.
    const first = setTimeout(() => {
      if (lastReport.current.state === 'away') report('viewing');
    }, 700);
    const renew = setInterval(() => {
      if (document.visibilityState === 'visible' && lastReport.current.state !== 'replying')
        report('viewing');
    }, renewMs);
    return () => {
      clearTimeout(first);
      clearInterval(renew);
      clearTimeout(idleTimer.current);
      if (lastReport.current.state !== 'away') report('away');
    };
  }, [report]);

  const stopped = useCallback((): void => {
    clearTimeout(idleTimer.current);
    if (lastReport.current.state === 'replying') report('viewing');
  }, [report]);
  const wrote = useCallback((): void => {
    if (
      lastReport.current.state !== 'replying' ||
      Date.now() - lastReport.current.at > typingRenewMs
    )
      report('replying');
    clearTimeout(idleTimer.current);
    idleTimer.current = setTimeout(stopped, typingIdleMs);
  }, [report, stopped]);
  return { others: useUnexpired(response?.data ?? []), wrote, stopped };
}

/**
 * Reports expire by this device's clock from their arrival, because clocks differ between devices.
 */
function useUnexpired(others: readonly PresentUser[]): PresentUser[] {
  const receivedAt = useRef(new Map<string, number>());
  const now = useNow(2000);
  return others.flatMap((one) => {
    const key = `${one.id}:${one.state}:${one.at}`;
    if (!receivedAt.current.has(key)) receivedAt.current.set(key, Date.now());
    const ageSeconds = (now - receivedAt.current.get(key)!) / 1000;
    if (ageSeconds < presenceSeconds[one.state]) return [one];
    return one.state === 'replying' && ageSeconds < presenceSeconds.viewing
      ? [{ ...one, state: 'viewing' as const }]
      : [];
  });
}
