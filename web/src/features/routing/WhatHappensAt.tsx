import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDoorEnter, IconMoon } from '@tabler/icons-react';
import { schedules } from '#contract';
import { Section, t, useAsk, useCompanyId } from '#ui';
import { sentSchedule, whyNotSaveSchedule, type ScheduleDraft } from './schedule-draft.ts';
import css from './Schedule.module.css';

const wall = (zone: string): string => {
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

/** Open or closed at a moment, and why: the engine's own answer, for the hours as they stand here, saved or not. */
export function WhatHappensAt({ draft, userId }: { draft: ScheduleDraft; userId: number | null }) {
  const companyId = useCompanyId();
  const [on, setOn] = useState(() => wall(draft.timezone));
  const [asked] = useDebouncedValue(JSON.stringify({ ...sentSchedule(draft, userId), on }), 250);
  const wrong = whyNotSaveSchedule(draft);
  const { answer, refusal } = useAsk(
    schedules.previewSchedule,
    { params: { companyId: companyId ?? 0 }, body: JSON.parse(asked) as never },
    {
      when: companyId !== null && wrong === null && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(on),
      quiet: true,
    },
  );
  const said = wrong ?? refusal?.message ?? answer?.data.because ?? '';
  const open = wrong === null && !refusal && answer?.data.open === true;
  return (
    <Section
      title={t('What happens at')}
      about={t('For these hours as they stand here, saved or not.')}
    >
      <TextInput
        type="datetime-local"
        aria-label={t('What happens at')}
        description={t('Local time, {zone}', { zone: draft.timezone })}
        value={on}
        onChange={(event) => setOn(event.currentTarget.value)}
      />
      <div className={css.answer} aria-live="polite" data-open={open || undefined}>
        {said &&
          (open ? <IconDoorEnter size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />)}
        <span>{said}</span>
      </div>
    </Section>
  );
}
