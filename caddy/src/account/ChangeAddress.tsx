import { useState } from 'react';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { caddy } from '#contract';
import { confirm, formatPhoneNumber, t, toast, useApiMutation } from '#ui';
import { device } from '../session.ts';
import { CodeStep, sentOf, type Sent } from './CodeStep.tsx';

interface ChangeAddressProps {
  channel: 'email' | 'phone';
  current: string | null;
  /** Not the only way to sign in. */
  canRemove: boolean;
}

/** The email address or phone of the account; a new one is proved by a code. */
export function ChangeAddress({ channel, current, canRemove }: ChangeAddressProps) {
  const [isOpen, setOpen] = useState(false);
  const label = channel === 'email' ? t('Email') : t('Phone');
  if (isOpen) return <NewAddress channel={channel} close={() => setOpen(false)} />;
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {current === null
            ? t('None')
            : channel === 'phone'
              ? formatPhoneNumber(current)
              : current}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        {canRemove && <RemoveAddress channel={channel} label={label} />}
        <Button
          variant="default"
          onClick={() => setOpen(true)}
          aria-label={channel === 'email' ? t('Change email address') : t('Change phone')}
        >
          {current === null ? t('Add') : t('Change')}
        </Button>
      </Group>
    </Group>
  );
}

const invalidates = [caddy.getCaddyProfile];

function RemoveAddress({ channel, label }: { channel: 'email' | 'phone'; label: string }) {
  const { mutate, isPending } = useApiMutation(caddy.updateCaddyProfile, { invalidates });
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: channel === 'email' ? t('Remove your email address?') : t('Remove your phone?'),
      body: t('You can’t sign in with it any more.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (isSure) await mutate({ body: { [channel]: null } });
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      loading={isPending}
      onClick={() => void remove()}
      aria-label={t('Remove {what}', { what: label })}
    >
      {t('Remove')}
    </Button>
  );
}

function NewAddress({ channel, close }: { channel: 'email' | 'phone'; close: () => void }) {
  const [address, setAddress] = useState('');
  const [sent, setSent] = useState<Sent | null>(null);
  const { mutate, isPending, error } = useApiMutation(caddy.updateCaddyProfile, {
    invalidates,
    silent: true,
  });
  const send = async (code?: string): Promise<void> => {
    const value = address.trim();
    const answer = await mutate({
      body: { [channel]: value, device: device(), ...(code && { code }) },
    });
    if (!answer) return;
    if ('sent' in answer.data) setSent(sentOf(answer.data));
    else {
      toast.success(channel === 'email' ? t('Email address saved') : t('Phone saved'));
      close();
    }
  };
  if (sent)
    return (
      <CodeStep
        sent={sent}
        submitLabel={t('Save')}
        {...{ error, isPending, send }}
        onChangeAddress={() => setSent(null)}
      />
    );
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        void send();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={channel === 'email' ? t('New email address') : t('New phone')}
          type={channel === 'email' ? 'email' : 'tel'}
          autoFocus
          autoComplete={channel === 'email' ? 'email' : 'tel'}
          value={address}
          error={error?.text}
          onChange={(e) => setAddress(e.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" loading={isPending} disabled={!address.trim()}>
            {t('Send code')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
