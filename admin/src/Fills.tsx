import { Group, Stack } from '@mantine/core';
import type { Answer, support } from '#contract';
import { StatusBadge, t, Time } from '#ui';

type Fill = Answer<typeof support.getSystemStatus>['data']['fills'][number];

/** Nothing is said where nothing is left, which is nearly always. */
export const fillFacts = (fills: readonly Fill[]): [string, React.ReactNode][] =>
  fills.length ? [[t('Counting after an upgrade'), <Fills key="fills" fills={fills} />]] : [];

/** What an upgrade left to count in the background: how far it is, and what stopped it. */
function Fills({ fills }: { fills: readonly Fill[] }) {
  return (
    <Stack gap={4} align="flex-start">
      {fills.map(({ name, done, total, changed_at: changed, error }) => (
        <Stack key={name} gap={2} align="flex-start">
          <Group gap="xs">
            {error === null ? (
              <StatusBadge tone="neutral">{t('In progress')}</StatusBadge>
            ) : (
              <StatusBadge tone="danger">{t('Failed')}</StatusBadge>
            )}
            <span>
              {t('{name}: {done, number} of {total, number} rows', { name, done, total })}
            </span>
            {changed && <Time at={changed} as="ago" />}
          </Group>
          {error !== null && <span>{error}</span>}
        </Stack>
      ))}
      <span>{t('Totals of older calls and texts are too low until it’s finished.')}</span>
    </Stack>
  );
}
