import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDoorEnter, IconMoon } from '@tabler/icons-react';
import { schedules } from '#contract';
import { Section, t, useApiQuery, useCompanyId, zoneName } from '#ui';
import { toScheduleRequest, scheduleError, type ScheduleDraft } from './schedule-draft.ts';
import css from './Schedule.module.css';

const localNow = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
      .format(new Date())
      .replace(' ', 'T');
  } catch {
    return new Date().toISOString().slice(0, 16);
  }
};

/**
 * Whether the edited schedule is open at a given time, and why, decided by the engine. Needs no
 * save.
 */
export function ScheduleCheck({ draft, userId }: { draft: ScheduleDraft; userId: number | null }) {
  const companyId = useCompanyId();
  const [on, setOn] = useState(() => localNow(draft.timezone));
  const [asked] = useDebouncedValue(
    JSON.stringify({ ...toScheduleRequest(draft, userId), on }),
    250,
  );
  const wrong = scheduleError(draft);
  const { response, error } = useApiQuery(
    schedules.previewSchedule,
    { params: { companyId: companyId ?? 0 }, body: JSON.parse(asked) },
    {
      enabled: companyId !== null && wrong === null && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(on),
      silent: true,
    },
  );
  const message = wrong ?? error?.message ?? response?.data.because ?? '';
  const open = wrong === null && !error && response?.data.open === true;
  return (
    <Section title={t('Check a time')} about={t('Uses the hours shown here, saved or not.')}>
      <TextInput
        type="datetime-local"
        aria-label={t('Check a time')}
        description={t('Local time, {zone}', { zone: zoneName(draft.timezone) })}
        value={on}
        onChange={(event) => setOn(event.currentTarget.value)}
      />
      <div className={css.answer} aria-live="polite" data-open={open || undefined}>
        {message &&
          (open ? <IconDoorEnter size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />)}
        <span>{message}</span>
      </div>
    </Section>
  );
}
