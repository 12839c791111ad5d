import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { Section, t, usePermission } from '#ui';
import { AccountStatus } from '../../../shared/AccountStatus.tsx';
import { OnOff, Reconnect } from '../AccountActions.tsx';
import { ChannelDialog } from './ChannelDialog.tsx';
import type { Workspace } from './config.ts';
import { WorkspaceDialog } from './WorkspaceDialog.tsx';

/** A connected workspace: whether anything is posted there, and what can be done. */
export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const mayEdit = usePermission('integrations.edit');
  const [open, setOpen] = useState<'channel' | 'settings' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Section
      title={workspace.account.name}
      about={workspace.destinations.length === 0 ? t('Add a channel to post to.') : undefined}
      action={<AccountStatus status={workspace.status} />}
    >
      {workspace.last_error && (
        <Text size="sm" role="status">
          {workspace.last_error.text}
        </Text>
      )}
      {mayEdit && (
        <Group gap="xs">
          {workspace.status === 'expired' ? (
            <Reconnect account={workspace} />
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => setOpen('channel')}>
              {t('Add channel')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setOpen('settings')}>
            {t('Settings')}
          </Button>
          {workspace.destinations.length > 0 && <OnOff account={workspace} />}
        </Group>
      )}
      {open === 'channel' && <ChannelDialog workspace={workspace} close={close} />}
      {open === 'settings' && <WorkspaceDialog workspace={workspace} close={close} />}
    </Section>
  );
}
