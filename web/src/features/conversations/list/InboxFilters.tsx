import { Button, Checkbox, Select, Stack } from '@mantine/core';
import { t } from '#ui';
import { SourceFilter } from '../../tracking/index.ts';
import { SearchOperators } from './SearchOperators.tsx';
import { useTeammates, useTeams } from '../team/use-teammates.ts';
import type { useInbox } from './use-inbox.ts';
import type { OurNumber } from '../use-our-numbers.ts';
import css from './InboxFilterBar.module.css';

/**
 * Shown next to a number in the filters. The screen passes it, because this feature can't import
 * features above it.
 */
export type BesideNumber = (numberId: number, label: string) => React.ReactNode;

const kinds = [
  ['message', 'Messages'],
  ['call', 'Calls'],
  ['voicemail', 'Voicemails'],
  ['fax', 'Faxes'],
  ['note', 'Notes'],
] as const;

interface Props {
  inbox: ReturnType<typeof useInbox>;
  numbers: readonly OurNumber[];
  /** How many filters are active. */ count: number;
  besideNumber?: BesideNumber | undefined;
}

/** The inbox filters behind a button; loaded on first click. */
export function InboxFilters({ inbox, numbers, count, besideNumber }: Props) {
  const { filters, set } = inbox;
  const isPerson =
    filters.assigned !== '' && filters.assigned !== 'me' && filters.assigned !== 'none';
  const toggle = (key: 'types' | 'numbers', value: string): void =>
    set({
      [key]: filters[key].includes(value)
        ? filters[key].filter((v) => v !== value)
        : [...filters[key], value],
    });
  return (
    <>
      <TypeFilter chosen={filters.types} onToggle={(value) => toggle('types', value)} />
      <AssignedTo
        value={isPerson ? filters.assigned : null}
        onChange={(assigned) => set({ assigned })}
      />
      {numbers.length > 1 && (
        <NumberFilter
          numbers={numbers}
          chosen={filters.numbers}
          onToggle={(value) => toggle('numbers', value)}
          besideNumber={besideNumber}
        />
      )}
      <SourceFilter
        value={filters.source}
        onChange={(source) => set({ source })}
        label={t('Source')}
        w="100%"
        mt="sm"
        comboboxProps={{ withinPortal: false }}
      />
      <fieldset className={css.set}>
        <legend>{t('Search operators')}</legend>
        <SearchOperators />
      </fieldset>
      {count > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          mt="xs"
          onClick={() =>
            set({ types: [], numbers: [], source: '', ...(isPerson && { assigned: '' }) })
          }
        >
          {t('Clear filters')}
        </Button>
      )}
    </>
  );
}

function TypeFilter({ chosen, onToggle }: { chosen: string[]; onToggle: (kind: string) => void }) {
  return (
    <fieldset className={css.set}>
      <legend>{t('Type')}</legend>
      <Stack gap={4}>
        {kinds.map(([value, label]) => (
          <Checkbox
            key={value}
            size="sm"
            label={t(label)}
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
          />
        ))}
      </Stack>
    </fieldset>
  );
}

function NumberFilter({
  numbers,
  chosen,
  onToggle,
  besideNumber,
}: Pick<Props, 'numbers' | 'besideNumber'> & {
  chosen: string[];
  onToggle: (numberId: string) => void;
}) {
  return (
    <fieldset className={css.set}>
      <legend>{t('Your number')}</legend>
      <Stack gap={4} className={css.numbers}>
        {numbers.map((n) => (
          <span key={n.id} className={css.number}>
            <Checkbox
              size="sm"
              label={n.label}
              description={n.label === n.formatted ? undefined : n.formatted}
              checked={chosen.includes(String(n.id))}
              onChange={() => onToggle(String(n.id))}
            />
            {besideNumber?.(n.id, n.label)}
          </span>
        ))}
      </Stack>
    </fieldset>
  );
}

/** Filters by assigned teammate or team; both are fetched when the filters open. */
function AssignedTo({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (assigned: string) => void;
}) {
  const teammates = useTeammates();
  const teams = useTeams();
  return (
    <Select
      className={css.set ?? ''}
      mt="sm"
      label={t('Assigned to')}
      placeholder={t('Anyone')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear') }}
      comboboxProps={{ withinPortal: false }}
      data={[
        ...(teams.length > 0
          ? [
              {
                group: t('Teams'),
                items: [
                  { value: 'my_teams', label: t('My teams') },
                  ...teams.map((one) => ({ value: `team:${one.id}`, label: one.name })),
                ],
              },
            ]
          : []),
        {
          group: t('People'),
          items: teammates.map((m) => ({ value: String(m.id), label: m.name })),
        },
      ]}
      value={value}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
