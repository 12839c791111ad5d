import { useState } from 'react';
import { Button } from '@mantine/core';
import { lazyComponent, t, usePermission } from '#ui';

const Dialog = lazyComponent(async () => (await import('./InviteDialog.tsx')).InviteDialog);

/** Opens the dialog that invites people, for those who may. */
export function InviteButton() {
  const [opened, setOpened] = useState(false);
  if (!usePermission('users.edit')) return null;
  return (
    <>
      <Button onClick={() => setOpened(true)}>{t('Invite people')}</Button>
      {opened && <Dialog onClose={() => setOpened(false)} />}
    </>
  );
}
