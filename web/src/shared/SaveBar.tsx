import { Button, Group } from '@mantine/core';
import { t } from '#ui';

/**
 * The last row of a form on a page: Save, then Discard, then what else there is (`children`), on the
 * left. Dialogs end with a `DialogFooter` on the right instead.
 */
export function SaveBar({
  dirty,
  saving,
  onDiscard,
  children,
}: {
  dirty: boolean;
  saving: boolean;
  onDiscard: () => void;
  children?: React.ReactNode;
}) {
  return (
    <Group mt="md" gap="xs">
      <Button type="submit" loading={saving} disabled={!dirty}>
        {t('Save')}
      </Button>
      <Button variant="default" disabled={!dirty || saving} onClick={onDiscard}>
        {t('Discard changes')}
      </Button>
      {children}
    </Group>
  );
}
