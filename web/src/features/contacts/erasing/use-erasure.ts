import { useEffect, useState } from 'react';
import { erasing, type Answer } from '#contract';
import { useApiQuery, useFilters, useLiveEvent } from '#ui';

export type ErasureState = Answer<typeof erasing.getErasureState>['data'];

/**
 * Whether a contact is under legal hold or being erased (`state`; undefined: not known yet), and
 * whether it was erased while it was looked at.
 */
export function useErasure(contactId: number | null): {
  state: ErasureState | undefined;
  isErased: boolean;
} {
  const [erasedId, setErasedId] = useState<number | null>(null);
  const heard = contactId !== null && erasedId === contactId;
  const { response, error, refetch } = useApiQuery(
    erasing.getErasureState,
    { params: { contactId: contactId ?? 0 } },
    { enabled: contactId !== null && !heard, silent: true },
  );
  useLiveEvent(erasing.personErased, (data) => setErasedId(data.contactId));
  const state = response?.data;
  const isRunning = Boolean(state?.erasure && state.erasure.failure === null);
  // Live events may be missed while offline, so one that goes on is also polled.
  useEffect(() => {
    if (!isRunning || heard) return;
    const timer = setInterval(refetch, 3000);
    return () => clearInterval(timer);
  }, [isRunning, heard, refetch]);
  return { state, isErased: heard || (isRunning && error?.status === 404) };
}

/** The dialog that the address opens, so that one can link to it and go back from it. */
export function useOpenDialog(): { opened: string; open: (what: 'erase' | 'hold' | '') => void } {
  const { filters, set } = useFilters({ open: '' });
  return { opened: filters.open, open: (what) => set({ open: what }) };
}
