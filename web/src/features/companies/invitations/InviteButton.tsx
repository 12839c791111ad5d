import { useState } from 'react';
import { Button } from '@mantine/core';
import { lazyComponent, t, usePermission } from '#ui';

const Dialog = lazyComponent(async () => (await import('./InviteDialog.tsx')).InviteDialog);

const FileDialog = lazyComponent(async () => (await import('./InviteFile.tsx')).InviteFile);

/** Opens the dialog that invites people, for those who may. */
export function InviteButton() {
  const [opened, setOpened] = useState<'form' | 'file' | null>(null);
  if (!usePermission('users.edit')) return null;
  return (
    <>
      <Button onClick={() => setOpened('form')}>{t('Invite people')}</Button>
      {opened === 'form' && (
        <Dialog onClose={() => setOpened(null)} onFile={() => setOpened('file')} />
      )}
      {opened === 'file' && <FileDialog onClose={() => setOpened(null)} />}
    </>
  );
}
