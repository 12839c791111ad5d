import { useState } from 'react';
import { Alert, Button, Group, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, users, type Answer } from '#contract';
import {
  bindFieldErrors,
  confirm,
  Section,
  t,
  Time,
  toast,
  useApiMutation,
  useApiQuery,
  usePermission,
  useUser,
} from '#ui';

type Transfer = NonNullable<Answer<typeof users.getOwnershipTransfer>['data']>;

/** The transfer of ownership that waits; undefined until it is known. */
function useTransfer(): Transfer | null | undefined {
  const { response } = useApiQuery(users.getOwnershipTransfer, {}, { silent: true });
  return response?.data;
}

/**
 * For the owner of whom others ask it: agree or decline. Then for the person who may become the
 * owner: accept or decline. Nothing for others.
 */
export function TransferNotice() {
  const transfer = useTransfer();
  const own = useUser()?.id;
  if (transfer?.needs_owner && transfer.from.id === own) return <Agreement transfer={transfer} />;
  return transfer && !transfer.needs_owner && transfer.to.id === own ? (
    <Decision transfer={transfer} />
  ) : null;
}

const invalidates = [users.getOwnershipTransfer, companies.getUser, companies.listCompanyUsers];

function Agreement({ transfer }: { transfer: Transfer }) {
  const { name } = transfer.to;
  const agreement = useApiMutation(users.confirmOwnershipTransfer, { invalidates });
  const refusal = useApiMutation(users.cancelOwnershipTransfer, { invalidates });
  const agree = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Give {name} the company?', { name }),
      body: t('When they accept, {name} is the owner and you become an administrator.', { name }),
      confirmLabel: t('Agree'),
    });
    if (yes) await agreement.mutate({ params: { companyId: ':companyId' } });
  };
  return (
    <Alert title={t('You’re asked to make {name} the owner', { name })} mb="md">
      <Stack gap="xs">
        <Text fz="sm">
          {t(
            'An administrator of the organization started this. Nothing changes unless you agree.',
          )}
        </Text>
        <Group gap="xs">
          <Button loading={agreement.isPending} onClick={() => void agree()}>
            {t('Agree')}
          </Button>
          <Button
            variant="default"
            loading={refusal.isPending}
            onClick={() => void refusal.mutate({ params: { companyId: ':companyId' } })}
          >
            {t('Decline')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Decision({ transfer }: { transfer: Transfer }) {
  const acceptance = useApiMutation(users.acceptOwnershipTransfer, {
    success: t('You are now the owner'),
    invalidates,
  });
  const refusal = useApiMutation(users.cancelOwnershipTransfer, { invalidates });
  const { name } = transfer.from;
  const accept = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Become the owner?'),
      body: t('You get every permission, including billing. {name} becomes an administrator.', {
        name,
      }),
      confirmLabel: t('Accept ownership'),
    });
    if (yes) await acceptance.mutate({ params: { companyId: ':companyId' } });
  };
  return (
    <Alert title={t('{name} wants to make you the owner', { name })} mb="md">
      <Stack gap="xs">
        <Text fz="sm">
          {t('Accept until')} <Time at={transfer.expires_at} as="date" />
        </Text>
        <Group gap="xs">
          <Button loading={acceptance.isPending} onClick={() => void accept()}>
            {t('Accept ownership')}
          </Button>
          <Button
            variant="default"
            loading={refusal.isPending}
            onClick={() => void refusal.mutate({ params: { companyId: ':companyId' } })}
          >
            {t('Decline')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** In company settings: starts a transfer, or shows the one that waits and cancels it. */
export function TransferOwnership() {
  const mayStart = usePermission('ownership.transfer');
  const transfer = useTransfer();
  const [isOpen, setOpen] = useState(false);
  if (!mayStart || transfer === undefined) return null;
  return (
    <Section
      title={t('Transfer ownership')}
      about={t(
        'A company has one owner. When the new owner accepts within 7 days, you become an administrator.',
      )}
      action={
        !transfer && !isOpen ? (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('Transfer')}
          </Button>
        ) : undefined
      }
    >
      {transfer ? (
        <Waiting transfer={transfer} />
      ) : isOpen ? (
        <StartForm close={() => setOpen(false)} />
      ) : null}
    </Section>
  );
}

function Waiting({ transfer }: { transfer: Transfer }) {
  const { mutate, isPending } = useApiMutation(users.cancelOwnershipTransfer, {
    success: t('The transfer was canceled'),
    invalidates,
  });
  return (
    <Group justify="space-between" gap="xs">
      <Text fz="sm">
        {transfer.needs_owner
          ? t('Waiting for {name} to agree until', { name: transfer.from.name })
          : t('Waiting for {name} to accept until', { name: transfer.to.name })}{' '}
        <Time at={transfer.expires_at} as="date" />
      </Text>
      <Button
        variant="default"
        loading={isPending}
        onClick={() => void mutate({ params: { companyId: ':companyId' } })}
      >
        {t('Cancel transfer')}
      </Button>
    </Group>
  );
}

function StartForm({ close }: { close: () => void }) {
  const form = useForm({ initialValues: { user_id: '', password: '' } });
  const { response } = useApiQuery(companies.listCompanyUsers, {
    query: { role: 'administrator', perPage: 250 },
  });
  const { mutate, isPending } = useApiMutation(users.startOwnershipTransfer, {
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    onSuccess: () => {
      toast.success(t('We emailed the new owner'));
      close();
    },
  });
  const people = response?.data ?? [];
  if (response && people.length === 0)
    return (
      <Text c="dimmed" fz="sm">
        {t('Make someone an administrator first, under Users.')}
      </Text>
    );
  return (
    <form
      onSubmit={form.onSubmit(
        ({ user_id, password }) =>
          void mutate({
            params: { companyId: ':companyId' },
            body: { user_id: Number(user_id), password },
          }),
      )}
    >
      <Stack gap="sm">
        <Select
          label={t('New owner')}
          placeholder={t('Choose an administrator')}
          searchable
          data={people.map((p) => ({
            value: String(p.id),
            label: `${p.first_name} ${p.last_name}`.trim() || p.email,
          }))}
          {...form.getInputProps('user_id')}
        />
        <PasswordInput
          label={t('Your password')}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Group gap="xs">
          <Button
            type="submit"
            loading={isPending}
            disabled={!form.values.user_id || !form.values.password}
          >
            {t('Start transfer')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
