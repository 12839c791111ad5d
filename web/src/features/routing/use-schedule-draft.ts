import { useEffect, useRef, useState } from 'react';
import { schedules } from '#contract';
import { t, useApiMutation, useUnsavedGuard, useUser } from '#ui';
import {
  scheduleError,
  toScheduleDraft,
  toScheduleRequest,
  type ScheduleDraft,
} from './schedule-draft.ts';

/**
 * The draft of a schedule: kept in step with other editors, saved and discarded. `wrong`: its
 * error, or null.
 */
export function useScheduleDraft(saved: schedules.Schedule, onDirty: (dirty: boolean) => void) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fresh = JSON.stringify(toScheduleDraft(saved, zone));
  const [start, setStart] = useState(fresh);
  const [draft, setDraft] = useState<ScheduleDraft>(() => JSON.parse(fresh) as ScheduleDraft);
  const dirty = JSON.stringify(draft) !== start;
  useUnsavedGuard(dirty);
  // oxlint-disable-next-line exhaustive-deps -- told when it changes, not when the function does
  useEffect(() => onDirty(dirty), [dirty]);
  const takeOver = (next: string): void => {
    setStart(next);
    setDraft(JSON.parse(next) as ScheduleDraft);
  };
  // Someone else saved: take that over unless this form has changes of its own, or once they are gone.
  const shown = useRef(fresh);
  useEffect(() => {
    if (dirty || shown.current === fresh) return;
    shown.current = fresh;
    takeOver(fresh);
  }, [fresh, dirty]);
  const user = useUser();
  const isOwn = saved.user_id !== null && saved.user_id === user?.id;
  const options = {
    success: t('Schedule updated'),
    invalidates: [schedules.getSchedule, schedules.previewSchedule],
  };
  const saveAny = useApiMutation(schedules.saveSchedule, options);
  const saveOwn = useApiMutation(schedules.saveOwnSchedule, options);
  const isPending = saveAny.isPending || saveOwn.isPending;
  const wrong = scheduleError(draft);
  const save = async (): Promise<void> => {
    const params = { companyId: saved.company_id };
    const { user_id, ...hours } = toScheduleRequest(draft, saved.user_id);
    const response = isOwn
      ? await saveOwn.mutate({ params, body: hours })
      : await saveAny.mutate({ params, body: { ...hours, ...(user_id && { user_id }) } });
    if (response) takeOver(JSON.stringify(toScheduleDraft(response.data, zone)));
  };
  return { draft, setDraft, dirty, wrong, save, discard: () => takeOver(start), isPending, isOwn };
}
