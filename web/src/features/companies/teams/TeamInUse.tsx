import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { formatPhoneNumber, Modal, t } from '#ui';

interface RingingNumber {
  id: number;
  number: string;
}

/** The numbers whose routes ring a team, each a link to its call flow. */
export function RingingNumbers({ numbers }: { numbers: readonly RingingNumber[] }) {
  return (
    <List size="sm" listStyleType="none" spacing={4}>
      {numbers.map(({ id, number }) => (
        <List.Item key={id}>
          <Anchor href={`/numbers/${id}/flow`} fz="sm">
            {formatPhoneNumber(number)}
          </Anchor>
        </List.Item>
      ))}
    </List>
  );
}

/** Why a team can't be deleted, and where that is changed. */
export function TeamInUse({
  name,
  numbers,
  close,
}: {
  name: string;
  numbers: readonly RingingNumber[];
  close: () => void;
}) {
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      title={t('Can’t delete “{name}” yet', { name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {t('Calls to these numbers ring this team. Remove it from their call flows first.')}
        </Text>
        <RingingNumbers numbers={numbers} />
        <Group justify="flex-end">
          <Button onClick={close}>{t('OK')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
