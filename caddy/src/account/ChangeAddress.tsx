import { useState } from 'react';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { caddy } from '#contract';
import { confirm, formatPhoneNumber, t, toast, useApiMutation } from '#ui';
import { device } from '../session.ts';
import { CodeStep, sentOf, type Sent } from './CodeStep.tsx';

type Field = 'email' | 'phone' | 'forwardTo';
const words = {
  email: {
    label: () => t('Email'),
    change: () => t('Change email address'),
    fresh: () => t('New email address'),
    removal: () => t('Remove your email address?'),
    after: () => t('You can’t sign in with it any more.'),
    saved: () => t('Email address saved'),
  },
  phone: {
    label: () => t('Phone'),
    change: () => t('Change phone'),
    fresh: () => t('New phone'),
    removal: () => t('Remove your phone?'),
    after: () => t('You can’t sign in with it any more.'),
    saved: () => t('Phone saved'),
  },
  forwardTo: {
    label: () => t('Also ring this phone'),
    change: () => t('Change the phone that rings, too'),
    fresh: () => t('Your own phone'),
    removal: () => t('Stop ringing your phone?'),
    after: () => t('Calls ring in Caddy alone.'),
    saved: () => t('Phone saved'),
  },
} satisfies Record<Field, Record<string, () => string>>;

interface ChangeAddressProps {
  field: Field;
  current: string | null;
  /** Not the only way to sign in. */
  canRemove: boolean;
}

/** An email address or phone of the account; a new one is proved by a code. */
export function ChangeAddress({ field, current, canRemove }: ChangeAddressProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <NewAddress field={field} close={() => setOpen(false)} />;
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" c="dimmed">
          {words[field].label()}
        </Text>
        <Text style={{ overflowWrap: 'anywhere' }}>
          {current === null ? t('None') : field === 'email' ? current : formatPhoneNumber(current)}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        {canRemove && <RemoveAddress field={field} />}
        <Button variant="default" onClick={() => setOpen(true)} aria-label={words[field].change()}>
          {current === null ? t('Add') : t('Change')}
        </Button>
      </Group>
    </Group>
  );
}

const invalidates = [caddy.getCaddyProfile];

function RemoveAddress({ field }: { field: Field }) {
  const { mutate, isPending } = useApiMutation(caddy.updateCaddyProfile, { invalidates });
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: words[field].removal(),
      body: words[field].after(),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (isSure) await mutate({ body: { [field]: null } });
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      loading={isPending}
      onClick={() => void remove()}
      aria-label={t('Remove {what}', { what: words[field].label() })}
    >
      {t('Remove')}
    </Button>
  );
}

function NewAddress({ field, close }: { field: Field; close: () => void }) {
  const [address, setAddress] = useState('');
  const [sent, setSent] = useState<Sent | null>(null);
  const { mutate, isPending, error } = useApiMutation(caddy.updateCaddyProfile, {
    invalidates,
    silent: true,
  });
  const send = async (code?: string): Promise<void> => {
    const value = address.trim();
    const answer = await mutate({
      body: { [field]: value, device: device(), ...(code && { code }) },
    });
    if (!answer) return;
    if ('sent' in answer.data) setSent(sentOf(answer.data));
    else {
      toast.success(words[field].saved());
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
          label={words[field].fresh()}
          type={field === 'email' ? 'email' : 'tel'}
          autoFocus
          autoComplete={field === 'email' ? 'email' : 'tel'}
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
