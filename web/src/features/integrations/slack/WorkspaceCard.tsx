import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { oauthIntegrations as contract } from '#contract';
import { Section, t, useApiMutation, useCompanyId, usePermission } from '#ui';
import { AccountStatus } from '../../../shared/AccountStatus.tsx';
import { openConsent } from '../../../shared/open-consent.ts';
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
            <Reconnect />
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => setOpen('channel')}>
              {t('Add channel')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setOpen('settings')}>
            {t('Settings')}
          </Button>
          {workspace.destinations.length > 0 && <OnOff workspace={workspace} />}
        </Group>
      )}
      {open === 'channel' && <ChannelDialog workspace={workspace} close={close} />}
      {open === 'settings' && <WorkspaceDialog workspace={workspace} close={close} />}
    </Section>
  );
}

function Reconnect() {
  const companyId = useCompanyId() ?? 0;
  return (
    <Button size="compact-sm" onClick={() => void openConsent(companyId, 'slackbot')}>
      {t('Reconnect')}
    </Button>
  );
}

function OnOff({ workspace: { id, status } }: { workspace: Workspace }) {
  const companyId = useCompanyId() ?? 0;
  const invalidates = [contract.listOAuthIntegrations];
  const { mutate: turnOn, isPending: isStarting } = useApiMutation(
    contract.activateOAuthIntegration,
    { invalidates },
  );
  const { mutate: turnOff, isPending: isStopping } = useApiMutation(
    contract.deactivateOAuthIntegration,
    { invalidates },
  );
  const isOff = status === 'inactive' || status === 'connected';
  const params = { companyId, id };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isStarting || isStopping}
      onClick={() => void (isOff ? turnOn({ params, body: {} }) : turnOff({ params }))}
    >
      {isOff ? t('Turn on') : t('Turn off')}
    </Button>
  );
}
