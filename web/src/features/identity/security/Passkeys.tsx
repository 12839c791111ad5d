import { useState } from 'react';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { companies, mfa, passkeys, type Answer } from '#contract';
import {
  confirm,
  EmptyState,
  ErrorState,
  Modal,
  Section,
  t,
  Time,
  toast,
  useApiMutation,
  useApiQuery,
} from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { canUsePasskeys, createPasskeyHere } from '../passkey.ts';
import type { ShowCodes } from './Factors.tsx';

type Passkey = Answer<typeof passkeys.listPasskeys>['data'][number];

/** The person's passkeys: add, rename, remove. */
export function Passkeys({ showCodes }: { showCodes: ShowCodes }) {
  const [naming, setNaming] = useState<Passkey | 'new' | null>(null);
  const { response, error, refetch } = useApiQuery(passkeys.listPasskeys, {}, { silent: true });
  const add = canUsePasskeys() && (
    <Button variant="default" onClick={() => setNaming('new')}>
      {t('Add a passkey')}
    </Button>
  );
  return (
    <Section
      title={t('Passkeys')}
      about={t('Sign in with your fingerprint, face or a security key instead of a password.')}
      action={response?.data.length ? add : undefined}
    >
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {response?.data.length === 0 && (
        <EmptyState title={t('No passkeys yet')} action={add}>
          {canUsePasskeys()
            ? t('Devices you add appear here.')
            : t('This browser can’t use passkeys here. They need https, or http://localhost.')}
        </EmptyState>
      )}
      <Stack gap="md">
        {response?.data.map((p) => (
          <PasskeyRow key={p.id} passkey={p} rename={() => setNaming(p)} />
        ))}
      </Stack>
      {naming === 'new' && <AddPasskey close={() => setNaming(null)} showCodes={showCodes} />}
      {naming !== 'new' && naming && (
        <RenamePasskey passkey={naming} close={() => setNaming(null)} />
      )}
    </Section>
  );
}

function PasskeyRow({ passkey, rename }: { passkey: Passkey; rename: () => void }) {
  const remove = useApiMutation(passkeys.removePasskey, {
    success: t('Passkey removed'),
    invalidates: [passkeys.listPasskeys, mfa.listMfa, companies.getUser],
  });
  const askToRemove = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Remove the passkey {name}?', { name: passkey.name }),
      body: t('You can no longer sign in with it.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (yes) await remove.mutate({ params: { id: passkey.id } });
  };
  return (
    <Group justify="space-between" wrap="nowrap" role="group" aria-label={passkey.name}>
      <div>
        <Text fw={500}>{passkey.name}</Text>
        <Text fz="sm" c="dimmed">
          {passkey.last_used_at ? (
            <>
              {t('Last used')} <Time at={passkey.last_used_at} as="ago" />
            </>
          ) : (
            t('Never used')
          )}
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button variant="subtle" onClick={rename}>
          {t('Rename')}
        </Button>
        <Button
          variant="subtle"
          color="red"
          loading={remove.isPending}
          onClick={() => void askToRemove()}
        >
          {t('Remove')}
        </Button>
      </Group>
    </Group>
  );
}

function AddPasskey({ close, showCodes }: { close: () => void; showCodes: ShowCodes }) {
  const options = useApiMutation(passkeys.passkeyCreationOptions, { idempotencyKey: false });
  const create = useApiMutation(passkeys.createPasskey, {
    success: t('Passkey added'),
    invalidates: [passkeys.listPasskeys, mfa.listMfa, companies.getUser],
    idempotencyKey: false,
    onSuccess: ({ data }) => {
      close();
      showCodes(data.recovery_codes);
    },
  });
  const add = async (name: string): Promise<void> => {
    const asked = await options.mutate();
    if (!asked) return;
    const passkey = await createPasskeyHere(asked.data);
    if (!passkey) return void toast.warn(t('No passkey was created. Try again.'));
    await create.mutate({ body: { name, passkey } });
  };
  return (
    <NameDialog
      title={t('Add a passkey')}
      initial=""
      verb={t('Continue')}
      busy={options.isPending || create.isPending}
      close={close}
      save={(name) => void add(name)}
    />
  );
}

function RenamePasskey({ passkey, close }: { passkey: Passkey; close: () => void }) {
  const { mutate, isPending } = useApiMutation(passkeys.renamePasskey, {
    success: t('Passkey renamed'),
    invalidates: [passkeys.listPasskeys],
    onSuccess: close,
  });
  return (
    <NameDialog
      title={t('Rename the passkey')}
      initial={passkey.name}
      verb={t('Rename')}
      busy={isPending}
      close={close}
      save={(name) => void mutate({ params: { id: passkey.id }, body: { name } })}
    />
  );
}

function NameDialog(props: {
  title: string;
  initial: string;
  verb: string;
  busy: boolean;
  close: () => void;
  save: (name: string) => void;
}) {
  const [name, setName] = useState(props.initial);
  return (
    <Modal
      opened
      onClose={props.close}
      title={props.title}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          props.save(name.trim());
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            description={t('Such as the device it is on.')}
            maxLength={60}
            data-autofocus
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <DialogFooter onCancel={props.close}>
            <Button type="submit" loading={props.busy} disabled={!name.trim()}>
              {props.verb}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
