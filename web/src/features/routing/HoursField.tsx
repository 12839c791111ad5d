import { useRef } from 'react';
import { Select, Stack, Text } from '@mantine/core';
import { routing } from '#contract';
import { t } from '#ui';
import { zoneOptions } from '../settings/index.ts';
import { BlocksEditor } from './BlocksEditor.tsx';
import { ExceptionsEditor } from './ExceptionsEditor.tsx';
import css from './RouteEditor.module.css';

type Hours = routing.HoursShape;
type Block = Hours['blocks'][number];

const start: Hours = { preset: 1, timezone: null, blocks: [], exceptions: [], voicemail: false };
const nineToFive: Block = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  times: [{ start: '09:00', end: '17:00' }],
};
interface HoursFieldProps {
  value: Hours | null;
  onChange: (hours: Hours | null) => void;
  mayEdit: boolean;
  error?: React.ReactNode;
}

/** Whether the preset has days and a time zone of its own. */
const hasOwnWeek = ({ preset }: Hours): boolean => preset === 2 || preset === 3 || preset === 4;

/** When a route is open: a preset, or custom times by day. */
export function HoursField({ value, onChange, mayEdit, error }: HoursFieldProps) {
  const hours = value ?? start;
  // Undoing a removed date can come after other changes, which must survive it.
  const latest = useRef(hours);
  latest.current = hours;
  return (
    <Stack gap="sm">
      <HoursSelects hours={hours} onChange={onChange} mayEdit={mayEdit} error={error} />
      {hours.preset === 4 && (
        <BlocksEditor
          blocks={hours.blocks}
          mayEdit={mayEdit}
          onChange={(blocks) => onChange({ ...hours, blocks })}
        />
      )}
      {hasOwnWeek(hours) && (
        <div role="group" aria-label={t('Special dates here')}>
          <Text fz="sm" fw={500} mb={4}>
            {t('Special dates here')}
          </Text>
          <ExceptionsEditor
            exceptions={hours.exceptions}
            mayEdit={mayEdit}
            onChange={(next) =>
              onChange({
                ...latest.current,
                exceptions: typeof next === 'function' ? next(latest.current.exceptions) : next,
              })
            }
          />
        </div>
      )}
    </Stack>
  );
}

/** The preset and, where it has days of its own, their time zone. */
function HoursSelects({
  hours,
  onChange,
  mayEdit,
  error,
}: Omit<HoursFieldProps, 'value'> & { hours: Hours }) {
  const pick = (preset: Hours['preset']): void =>
    onChange({
      ...hours,
      preset,
      blocks: preset === 4 && hours.blocks.length === 0 ? [nineToFive] : hours.blocks,
    });
  const field = { readOnly: !mayEdit };
  return (
    <div className={css.fields}>
      <Select
        label={t('Open')}
        data={routing.schedulePresets.map((one) => ({
          value: String(one.id),
          label: t(one.label),
        }))}
        allowDeselect={false}
        {...field}
        value={String(hours.preset)}
        error={error}
        onChange={(chosen) => {
          const preset = routing.schedulePresets.find(({ id }) => String(id) === chosen);
          if (preset) pick(preset.id);
        }}
      />
      {hasOwnWeek(hours) && (
        <Select
          label={t('Time zone')}
          placeholder={t('Company hours')}
          data={zoneOptions()}
          searchable
          clearable={mayEdit}
          clearButtonProps={{ 'aria-label': t('Clear') }}
          limit={80}
          {...field}
          value={hours.timezone}
          onChange={(timezone) => onChange({ ...hours, timezone })}
        />
      )}
    </div>
  );
}
