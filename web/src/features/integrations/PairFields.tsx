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
  const put = (at: number, pair: Pair): void => change(pairs.with(at, pair));
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
        <Group key={pair.ours ?? `new-${at}`} gap="xs" wrap="nowrap">
          <Select
            aria-label={ours.label}
            placeholder={ours.label}
            flex={1}
            searchable
            data={withChosen(ours.options, pair.ours).filter(
              ({ value }) => value === pair.ours || !taken.has(value),
            )}
            value={pair.ours}
            onChange={(value) => put(at, { ...pair, ours: value })}
          />
          <Select
            aria-label={theirs.label}
            placeholder={theirs.label}
            flex={1}
            searchable
            data={withChosen(theirs.options, pair.theirs)}
            value={pair.theirs}
            onChange={(value) => put(at, { ...pair, theirs: value })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Remove')}
            onClick={() => change(pairs.toSpliced(at, 1))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
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

/** What was chosen stays readable where the list lacks it, such as while it loads. */
export const withChosen = (
  options: readonly ComboboxItem[],
  chosen: string | null,
): ComboboxItem[] =>
  chosen === null || options.some(({ value }) => value === chosen)
    ? [...options]
    : [...options, { value: chosen, label: chosen }];
