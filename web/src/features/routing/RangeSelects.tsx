import { Group, Select } from '@mantine/core';
import type { schedules } from '#contract';
import { t } from '#ui';
import { allDay, closed, closingSlots, openingSlots } from './time-slots.ts';

type TimeRange = schedules.TimeRange;

interface RangeSelectsProps {
  value: TimeRange | null;
  onChange: (range: TimeRange | null) => void;
  readOnly: boolean;
  of: string;
  error?: React.ReactNode;
}

/** A time range, all day, or closed (null). `of` names the day or date for screen readers. */
export function RangeSelects({ value, onChange, readOnly, of, error }: RangeSelectsProps) {
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
        data={openingSlots()}
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
            data={closingSlots()}
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
