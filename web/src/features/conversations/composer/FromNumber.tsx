import { useEffect, useState } from 'react';
import { Select } from '@mantine/core';
import { t } from '#ui';
import type { OurNumber } from '../use-our-numbers.ts';

/** The id of the number to send from: at first the preferred one, or the first of the list. */
export function useFromNumber(
  numbers: readonly OurNumber[],
  isPreferred: (number: OurNumber) => boolean,
) {
  const [from, setFrom] = useState<number | null>(null);
  useEffect(() => {
    const initial = numbers.find(isPreferred) ?? numbers[0];
    if (from === null && initial) setFrom(initial.id);
  }, [numbers, from, isPreferred]);
  return [from, setFrom] as const;
}

/** Selects which of the company's numbers sends. `none`: what to say when there are none. */
export function FromNumber({
  numbers,
  none,
  value,
  onChange,
  searchable = false,
}: {
  numbers: readonly OurNumber[];
  none: string;
  value: number | null;
  onChange: (id: number) => void;
  searchable?: boolean;
}) {
  return (
    <Select
      label={t('From')}
      data={numbers.map((n) => ({
        value: String(n.id),
        label: n.label === n.formatted ? n.label : `${n.label}  ${n.formatted}`,
      }))}
      value={value === null ? null : String(value)}
      onChange={(id) => {
        if (id !== null) onChange(Number(id));
      }}
      allowDeselect={false}
      searchable={searchable}
      disabled={numbers.length === 0}
      description={numbers.length === 0 ? none : undefined}
    />
  );
}
