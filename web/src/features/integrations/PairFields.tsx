import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core';
import type { ComboboxItem } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { t } from '#ui';

/** Something of ours and what the receiver calls it; null: not chosen yet. */
export interface Pair {
  ours: string | null;
  theirs: string | null;
}

/** One side of the pairs. */
interface Side {
  label: string;
  options: readonly ComboboxItem[];
}

/** Which of ours becomes which of the receiver's, one a row. */
export function PairFields({
  title,
  about,
  addLabel,
  ours,
  theirs,
  pairs,
  change,
}: {
  title: string;
  about: string;
  addLabel: string;
  ours: Side;
  theirs: Side;
  pairs: readonly Pair[];
  change: (pairs: Pair[]) => void;
}) {
  const taken = new Set(pairs.map((pair) => pair.ours));
  return (
    <Stack gap="xs" role="group" aria-label={title}>
      <div>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </div>
      {pairs.map((pair, at) => (
        <Row
          key={pair.ours ?? `new-${at}`}
          pair={pair}
          ours={{
            ...ours,
            options: ours.options.filter(({ value }) => value === pair.ours || !taken.has(value)),
          }}
          theirs={theirs}
          change={(next) => change(pairs.with(at, next))}
          remove={() => change(pairs.toSpliced(at, 1))}
        />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        disabled={pairs.some((pair) => !pair.ours) || taken.size >= ours.options.length}
        onClick={() => change([...pairs, { ours: null, theirs: null }])}
      >
        {addLabel}
      </Button>
    </Stack>
  );
}

const Row = ({
  pair,
  ours,
  theirs,
  change,
  remove,
}: {
  pair: Pair;
  ours: Side;
  theirs: Side;
  change: (pair: Pair) => void;
  remove: () => void;
}) => (
  <Group gap="xs" wrap="nowrap">
    {(
      [
        ['ours', ours],
        ['theirs', theirs],
      ] as const
    ).map(([name, { label, options }]) => (
      <Select
        key={name}
        aria-label={label}
        placeholder={label}
        flex={1}
        searchable
        data={withChosen(options, pair[name])}
        value={pair[name]}
        onChange={(value) => change({ ...pair, [name]: value })}
      />
    ))}
    <ActionIcon variant="subtle" color="gray" aria-label={t('Remove')} onClick={remove}>
      <IconX size={16} />
    </ActionIcon>
  </Group>
);

/** What was chosen stays readable where the list lacks it, such as while it loads. */
export const withChosen = (
  options: readonly ComboboxItem[],
  chosen: string | null,
): ComboboxItem[] =>
  chosen === null || options.some(({ value }) => value === chosen)
    ? [...options]
    : [...options, { value: chosen, label: chosen }];
