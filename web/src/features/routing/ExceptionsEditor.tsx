import { useState } from 'react';
import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core';
import { IconCalendarPlus, IconFlag, IconTrash } from '@tabler/icons-react';
import { schedules } from '#contract';
import { showUndoToast, t } from '#ui';
import { RangeSelects } from './RangeSelects.tsx';
import css from './Schedule.module.css';

type Exception = schedules.HoursException;
type ChangeExceptions = (next: Exception[] | ((now: Exception[]) => Exception[])) => void;
const today = (): string =>
  new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

/** Special dates: holidays, half days, weeks away. They override the weekly hours. */
export function ExceptionsEditor({
  exceptions,
  onChange,
  mayEdit,
}: {
  exceptions: Exception[];
  onChange: ChangeExceptions;
  mayEdit: boolean;
}) {
  const set = (i: number, change: Partial<Exception>): void =>
    onChange(exceptions.map((one, j) => (j === i ? { ...one, ...change } : one)));
  const remove = (i: number): void => {
    const gone = exceptions[i];
    onChange(exceptions.filter((_, j) => j !== i));
    showUndoToast(t('Date removed'), () =>
      onChange((now) =>
        gone ? [...now, gone].toSorted((a, b) => a.from.localeCompare(b.from)) : now,
      ),
    );
  };
  // Past dates are kept, but hidden until asked for.
  const [showsPast, setShowsPast] = useState(false);
  const past = exceptions.filter((one) => one.to < today()).length;
  return (
    <>
      {exceptions.length === 0 && (
        <p className={css.quiet}>{t('No special dates. Add holidays and days off here.')}</p>
      )}
      <ul className={css.exceptions} aria-label={t('Special dates')}>
        {exceptions.map((one, i) => {
          const isShown = showsPast || one.to >= today() || one.to === '';
          if (!isShown) return null;
          return (
            <ExceptionRow
              key={i}
              exception={one}
              mayEdit={mayEdit}
              onChange={(change) => set(i, change)}
              onRemove={() => remove(i)}
            />
          );
        })}
      </ul>
      {past > 0 && <PastDatesToggle count={past} isOpen={showsPast} onToggle={setShowsPast} />}
      {mayEdit && <AddDates exceptions={exceptions} onChange={onChange} />}
    </>
  );
}

function PastDatesToggle({
  count,
  isOpen,
  onToggle,
}: {
  count: number;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      mb="sm"
      aria-expanded={isOpen}
      onClick={() => onToggle(!isOpen)}
    >
      {isOpen
        ? t('Hide past dates')
        : t('{n, plural, one {Show # past date} other {Show # past dates}}', { n: count })}
    </Button>
  );
}

interface ExceptionFieldsProps {
  exception: Exception;
  mayEdit: boolean;
  onChange: (change: Partial<Exception>) => void;
}

/** First and last day, name and hours of a special date. */
function ExceptionRow({
  exception: one,
  mayEdit,
  onChange,
  onRemove,
}: ExceptionFieldsProps & { onRemove: () => void }) {
  return (
    <li className={css.exception} aria-label={one.label || one.from}>
      <DayFields exception={one} mayEdit={mayEdit} onChange={onChange} />
      <TextInput
        aria-label={t('Name')}
        placeholder={t('Holiday')}
        maxLength={80}
        readOnly={!mayEdit}
        value={one.label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <RangeSelects
        of={one.label || one.from}
        readOnly={!mayEdit}
        value={one.closed ? null : (one.times[0] ?? null)}
        onChange={(range) =>
          onChange(
            range === null
              ? { closed: true, times: [] }
              : { closed: false, times: [range, ...one.times.slice(1)] },
          )
        }
      />
      {mayEdit && (
        <ActionIcon
          size={36}
          aria-label={t('Remove {what}', { what: one.label || one.from })}
          onClick={() => onRemove()}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </li>
  );
}

/** A first day after the last one moves the last day along. */
function DayFields({ exception: one, mayEdit, onChange }: ExceptionFieldsProps) {
  return (
    <>
      <TextInput
        type="date"
        aria-label={t('First day')}
        readOnly={!mayEdit}
        value={one.from}
        onChange={(event) => {
          const from = event.currentTarget.value;
          onChange({ from, to: one.to < from || one.to === one.from ? from : one.to });
        }}
      />
      <TextInput
        type="date"
        aria-label={t('Last day')}
        min={one.from}
        readOnly={!mayEdit}
        value={one.to}
        error={one.to < one.from ? t('The last day is before the first.') : undefined}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </>
  );
}

function AddDates({
  exceptions,
  onChange,
}: {
  exceptions: Exception[];
  onChange: ChangeExceptions;
}) {
  const holidays = (year: number): void => {
    const more = schedules
      .usFederalHolidays(year)
      .filter((day) => !exceptions.some((one) => one.from === day.from && one.to === day.to));
    onChange([...exceptions, ...more].toSorted((a, b) => a.from.localeCompare(b.from)));
  };
  const year = new Date().getFullYear();
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconCalendarPlus size={14} aria-hidden />}
        onClick={() =>
          onChange([
            ...exceptions,
            { from: today(), to: today(), label: '', closed: true, times: [] },
          ])
        }
      >
        {t('Add date')}
      </Button>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconFlag size={14} aria-hidden />}
          >
            {t('Add US federal holidays')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {[year, year + 1].map((one) => (
            <Menu.Item key={one} onClick={() => holidays(one)}>
              {t('For {year}', { year: one })}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
