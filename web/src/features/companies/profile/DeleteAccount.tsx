import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { lazyComponent, Section, t } from '#ui';

const DeleteAccountDialog = lazyComponent(
  async () => (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog,
);

/** Deletes one's own account; a dialog says first what that does. */
export function DeleteAccount({ userId }: { userId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t('Delete account')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t(
          'You leave your companies and can’t sign in. Your calls and texts stay with the companies.',
        )}
      </Text>
      <Group>
        <Button variant="default" c="red" onClick={() => setOpen(true)}>
          {t('Delete my account')}
        </Button>
      </Group>
      {isOpen && <DeleteAccountDialog userId={userId} close={() => setOpen(false)} />}
    </Section>
  );
}
