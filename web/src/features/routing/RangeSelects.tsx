import { Group, Select } from '@mantine/core';
import { routing, type schedules } from '#contract';
import { t } from '#ui';

type TimeRange = schedules.TimeRange;
const allDay = 'all',
  closed = 'closed';
/** B §5: All Day first, every 15 minutes from 12:00am to 11:45pm, Closed. Shown with am and pm, sent as 24 hours. */
const opens = routing.timeSlots.map((one) => ({
  value: one.value === null ? closed : one.value.includes('–') ? allDay : one.value,
  label: one.label,
}));
const slots = opens.slice(1, -1);
const closes = [...slots.slice(1), { value: '24:00', label: '12:00am (midnight)' }];

interface RangeSelectsProps {
  value: TimeRange | null;
  onChange: (range: TimeRange | null) => void;
  readOnly: boolean;
  of: string;
  /** Without it there is no way to be closed here. */ mayClose?: boolean;
  error?: React.ReactNode;
}

/** From when to when, or all day, or closed. `of`: whose times, for those who cannot see the row. */
export function RangeSelects({
  value,
  onChange,
  readOnly,
  of,
  mayClose = true,
  error,
}: RangeSelectsProps) {
  const whole = value?.start === '00:00' && value.end === '24:00';
  const first = value === null ? closed : whole ? allDay : value.start;
  const choose = (chosen: string | null): void => {
    if (chosen === null || chosen === first) return;
    if (chosen === closed) onChange(null);
    else if (chosen === allDay) onChange({ start: '00:00', end: '24:00' });
    else
      onChange({
        start: chosen,
        end: value === null || whole ? (chosen < '17:00' ? '17:00' : '24:00') : value.end,
      });
  };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Select
        aria-label={t('{what} opens', { what: of })}
        data={mayClose ? opens : opens.slice(0, -1)}
        w={132}
        allowDeselect={false}
        readOnly={readOnly}
        maxDropdownHeight={280}
        value={first}
        onChange={choose}
        error={error}
      />
      {value !== null && !whole && (
        <>
          <span aria-hidden style={{ lineHeight: '36px' }}>
            –
          </span>
          <Select
            aria-label={t('{what} closes', { what: of })}
            data={closes}
            w={132}
            allowDeselect={false}
            readOnly={readOnly}
            maxDropdownHeight={280}
            value={value.end}
            onChange={(end) => end !== null && onChange({ ...value, end })}
          />
        </>
      )}
    </Group>
  );
}
