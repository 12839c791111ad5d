import { Button, Stack, Text } from '@mantine/core';
import { Modal, t } from '#ui';
import type { RefusedPerson } from './use-update-users.ts';

/** Who stayed as they were, and why. */
export function RefusedPeople({
  people,
  close,
}: {
  people: readonly RefusedPerson[];
  close: () => void;
}) {
  return (
    <Modal
      opened
      onClose={close}
      size="md"
      title={t('{n, plural, one {# person wasn’t changed} other {# people weren’t changed}}', {
        n: people.length,
      })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        {people.map((one) => (
          <div key={one.user_id}>
            <Text fz="sm" fw={600}>
              {one.name}
            </Text>
            <Text fz="sm" c="dimmed">
              {one.reason}
            </Text>
          </div>
        ))}
        <Stack align="flex-end">
          <Button onClick={close}>{t('Done')}</Button>
        </Stack>
      </Stack>
    </Modal>
  );
}
