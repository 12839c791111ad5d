import { Button, Group } from '@mantine/core';
import { t } from '#ui';

export function SaveBar({
  dirty,
  saving,
  onDiscard,
}: {
  dirty: boolean;
  saving: boolean;
  onDiscard: () => void;
}) {
  return (
    <Group my="md" gap="xs">
      <Button type="submit" loading={saving} disabled={!dirty}>
        {t('Save')}
      </Button>
      <Button variant="default" disabled={!dirty || saving} onClick={onDiscard}>
        {t('Discard changes')}
      </Button>
    </Group>
  );
}
