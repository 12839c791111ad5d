import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import { webhooks as contract } from '#contract';
import { webhookOverlapHours } from '#contract/integrations/webhooks/rules';
import { confirm, navigate, t, useApiMutation, useCompanyId } from '#ui';
import { withStatus, type Webhook } from './form-values.ts';
import { ReplayDialog } from './ReplayDialog.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import { TestDialog } from './TestDialog.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';

/** What those who can change an endpoint do with it. */
export function Actions({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<'edit' | 'test' | 'replay' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group gap="xs" mt="md">
      <Button variant="default" size="compact-sm" onClick={() => setOpen('test')}>
        {t('Send test')}
      </Button>
      {webhook.status === 'active' && (
        <Button variant="default" size="compact-sm" onClick={() => setOpen('replay')}>
          {t('Replay a period')}
        </Button>
      )}
      <Button variant="default" size="compact-sm" onClick={() => setOpen('edit')}>
        {t('Edit')}
      </Button>
      <ReplaceSecret webhook={webhook} />
      <TurnOnOff webhook={webhook} />
      <Remove webhook={webhook} />
      {open === 'edit' && <WebhookDialog webhook={webhook} close={close} />}
      {open === 'test' && <TestDialog webhook={webhook} close={close} />}
      {open === 'replay' && <ReplayDialog webhook={webhook} close={close} />}
    </Group>
  );
}

function ReplaceSecret({ webhook: { id } }: { webhook: Webhook }) {
  const companyId = useCompanyId() ?? 0;
  const [secret, setSecret] = useState<string | null>(null);
  const { mutate, isPending } = useApiMutation(contract.rotateWebhookSecret, {
    invalidates: [contract.listWebhooks],
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Replace the signing secret?'),
      body: t(
        'For {hours} hours events are signed with both, so your receiver has time to change over.',
        { hours: String(webhookOverlapHours) },
      ),
      confirmLabel: t('Replace secret'),
    });
    if (!isSure) return;
    const made = await mutate({ params: { companyId, id }, body: {} });
    if (made) setSecret(made.data.signing_secret);
  };
  return (
    <>
      <Button variant="default" size="compact-sm" loading={isPending} onClick={() => void ask()}>
        {t('Replace secret')}
      </Button>
      {secret && <SecretDialog secret={secret} close={() => setSecret(null)} />}
    </>
  );
}

function TurnOnOff({ webhook }: { webhook: Webhook }) {
  const companyId = useCompanyId() ?? 0;
  const isOn = webhook.status === 'active';
  const { mutate, isPending } = useApiMutation(contract.updateWebhook, {
    invalidates: [contract.listWebhooks],
    success: isOn ? t('Endpoint turned off') : t('Endpoint turned on'),
  });
  return (
    <Button
      variant={isOn ? 'default' : 'filled'}
      size="compact-sm"
      loading={isPending}
      onClick={() =>
        void mutate({
          params: { companyId, id: webhook.id },
          body: withStatus(webhook, isOn ? 'inactive' : 'active'),
        })
      }
    >
      {isOn ? t('Turn off') : t('Turn on')}
    </Button>
  );
}

function Remove({ webhook: { id, name } }: { webhook: Webhook }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.deleteWebhook, {
    invalidates: [contract.listWebhooks],
    success: t('Endpoint deleted'),
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Delete {name}?', { name }),
      body: t('No more events are sent there, and the log of its deliveries is deleted.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure && (await mutate({ params: { companyId, id } }))) navigate('/integrations/webhooks');
  };
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-sm"
      loading={isPending}
      onClick={() => void ask()}
    >
      {t('Delete')}
    </Button>
  );
}
