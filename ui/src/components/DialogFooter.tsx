import { Button, Group } from '@mantine/core';
import { t } from '../i18n.ts';

/** The last row of a dialog: Cancel, then the button that does what the title says (`children`). */
export function DialogFooter({
  onCancel,
  children,
}: {
  onCancel: () => void;
  children: React.ReactNode;
}) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {t('Cancel')}
      </Button>
      {children}
    </Group>
  );
}
