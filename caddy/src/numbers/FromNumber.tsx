import { useState } from 'react';
import { Select } from '@mantine/core';
import { t } from '#ui';
import type { CaddyNumber } from '../use-numbers.ts';

/** Which of the active numbers is used, and the choice where there are several. */
export function useFromNumber(active: readonly CaddyNumber[]) {
  const [chosen, setChosen] = useState<string | null>(null);
  const from = active.find(({ id }) => String(id) === chosen) ?? active[0] ?? null;
  const field = active.length > 1 && from && (
    <Select
      label={t('From')}
      allowDeselect={false}
      data={active.map(({ id, label, formatted }) => ({
        value: String(id),
        label: label ? `${label} · ${formatted}` : formatted,
      }))}
      value={String(from.id)}
      onChange={setChosen}
    />
  );
  return { from, field };
}
