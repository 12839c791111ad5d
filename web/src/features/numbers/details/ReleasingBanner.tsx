import { Alert, Button, Group, Text } from '@mantine/core';
import { formatDateTime, t, usePermission, useNow } from '#ui';
import type { EditableNumber } from './number-form.ts';
import { useReleaseNumber } from '../use-release-number.ts';

/**
 * For a number that is being released: how long it can still be kept, with a button that keeps it.
 */
export function ReleasingBanner({ number }: { number: EditableNumber }) {
  const mayKeep = usePermission('numbers.buy');
  const { keep, busy } = useReleaseNumber();
  const now = useNow();
  if (number.status !== 'releasing' || number.returns_at === null) return null;
  const hours = Math.max(0, Math.ceil((new Date(number.returns_at).getTime() - now) / 3_600_000));
  return (
    <Alert color="orange" mb="md" title={t('This number is being released')}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {t(
            'It takes no calls or texts. You can keep it for {hours, plural, one {# more hour} other {# more hours}}, until {when}.',
            {
              hours,
              when: formatDateTime(number.returns_at),
            },
          )}
        </Text>
        {mayKeep && (
          <Button size="compact-md" loading={busy} onClick={() => void keep(number)}>
            {t('Keep this number')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
