import { Select, TextInput } from '@mantine/core';
import {
  callPeriods,
  daysOfChoices,
  type DayChoices,
} from '#contract/analytics/call-analytics/report-choices';
import { t } from '#ui';
import { callPeriodName } from './options.ts';

interface PeriodFilterProps {
  filters: DayChoices;
  set: (choices: Partial<DayChoices>) => void;
  today: string;
}

/** A period that ends today, or days of one’s own. */
export function PeriodFilter({ filters, set, today }: PeriodFilterProps) {
  // Own days begin with those of the last month.
  const choosePeriod = (period: string | null): void => {
    if (period !== 'custom') return set({ period: period ?? 'month', from: '', to: '' });
    const { start, end } = daysOfChoices({ period: 'month', from: '', to: '' }, today).range;
    set({ period, from: start, to: end });
  };
  return (
    <>
      <Select
        aria-label={t('Period')}
        w={{ base: 'calc(50% - 4px)', sm: 150 }}
        allowDeselect={false}
        data={callPeriods.map((value) => ({ value, label: callPeriodName(value) }))}
        value={daysOfChoices(filters, today).period}
        onChange={choosePeriod}
      />
      {filters.period === 'custom' && (
        <>
          <TextInput
            type="date"
            aria-label={t('From day')}
            value={filters.from}
            max={filters.to || today}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label={t('To day')}
            value={filters.to}
            min={filters.from || undefined}
            max={today}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
