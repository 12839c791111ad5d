import { Alert, NumberInput, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { tracking } from '#contract';
import { formatDateTime, Section, t, usePermission } from '#ui';
import type { PoolFormModel } from './use-pool-form.ts';

/** Whether the pool buys numbers when it is busy, how many at most, and what came of it. */
export function GrowthSection({
  form,
  mayEdit,
  pool,
}: {
  form: PoolFormModel;
  mayEdit: boolean;
  pool: tracking.Pool;
}) {
  const mayBuy = usePermission('numbers.buy') && mayEdit;
  const { growth } = pool;
  return (
    <Section
      title={t('When many visitors come')}
      about={t(
        'Use is looked at every 5 minutes. At most 10 numbers are bought at a time, each at its usual price, and none is released automatically.',
      )}
    >
      <Stack gap="sm">
        {growth.problem && (
          <Alert color="orange" title={t('Numbers weren’t bought')}>
            {growth.problem}
          </Alert>
        )}
        <Switch
          label={t('Buy numbers automatically')}
          disabled={!mayBuy}
          {...form.getInputProps('autoScale.enabled', { type: 'checkbox' })}
        />
        {form.values.autoScale.enabled && (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <NumberInput
              label={t('When more than this percent are in use')}
              min={10}
              max={100}
              readOnly={!mayBuy}
              {...form.getInputProps('autoScale.targetUtilization')}
            />
            <NumberInput
              label={t('Most numbers in the pool')}
              min={1}
              max={tracking.poolLimits.numbers}
              readOnly={!mayBuy}
              {...form.getInputProps('autoScale.max')}
            />
          </SimpleGrid>
        )}
        {pool.autoScale.enabled && <Text size="sm">{summaryOf(growth)}</Text>}
      </Stack>
    </Section>
  );
}

const summaryOf = ({ by, lastAt }: tracking.Pool['growth']): string =>
  [
    by && t('Numbers are bought in the name of {name}.', { name: by }),
    lastAt
      ? t('Last bought {when}.', { when: formatDateTime(lastAt) })
      : t('None have been bought yet.'),
  ]
    .filter(Boolean)
    .join(' ');
