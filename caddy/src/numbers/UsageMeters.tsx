import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { caddy } from '#contract';
import { formatNumber, Section, t, Time, useApiQuery } from '#ui';

/** Minutes and texts of this period, of what the plan includes. */
export function UsageMeters() {
  const { response } = useApiQuery(caddy.getCaddyUsage, {}, { silent: true });
  // As tall as what comes, so that nothing below moves.
  if (!response) return <Skeleton height={168} />;
  const { minutes, texts, period } = response.data;
  return (
    <Section
      title={t('This month')}
      about={
        <>
          {t('Starts over on')} <Time at={period.end} as="date" />
        </>
      }
    >
      <Stack gap="sm">
        <Meter label={t('Minutes')} {...minutes} />
        <Meter label={t('Texts')} {...texts} />
      </Stack>
    </Section>
  );
}

function Meter({
  label,
  used,
  included,
}: {
  label: string;
  used: number;
  included: number | null;
}) {
  const share = included ? Math.min(100, (used / included) * 100) : 0;
  const words =
    included === null
      ? t('{used} used', { used: formatNumber(used) })
      : t('{used} of {included}', { used: formatNumber(used), included: formatNumber(included) });
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">{label}</Text>
        <Text size="sm" c="dimmed" className="tabular">
          {words}
        </Text>
      </Group>
      {included !== null && (
        <Progress.Root size="md" mt={4}>
          <Progress.Section
            value={share}
            color={share >= 100 ? 'red' : 'violet'}
            aria-label={label}
            aria-valuetext={words}
          />
        </Progress.Root>
      )}
    </div>
  );
}
