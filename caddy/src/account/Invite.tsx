import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconGift } from '@tabler/icons-react';
import { caddy, type Answer } from '#contract';
import { invitationReward, type invitationStates } from '#contract/caddy/rules';
import {
  bindFieldErrors,
  EmptyState,
  ErrorState,
  PhoneNumber,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  type Tone,
} from '#ui';
import { AccountPage } from './AccountPage.tsx';
import css from './Account.module.css';

type State = (typeof invitationStates)[number];
const labels: Record<State, string> = {
  sent: 'Sent',
  joined: 'Joined',
  rewarded: 'Rewarded',
  expired: 'Expired',
};
const tones: Record<State, Tone> = {
  sent: 'neutral',
  joined: 'info',
  rewarded: 'success',
  expired: 'neutral',
};

/** Invites by text, and shows what became of each invitation. */
export default function Invite() {
  return (
    <AccountPage
      title={t('Invite friends')}
      about={t(
        'When a friend joins and takes a number, you get {minutes} minutes and {texts} texts more every month.',
        invitationReward,
      )}
    >
      {() => (
        <Stack gap="lg">
          <InviteForm />
          <Sent />
        </Stack>
      )}
    </AccountPage>
  );
}

function InviteForm() {
  const form = useForm({ initialValues: { phoneNumber: '' } });
  const { mutate, isPending } = useApiMutation(caddy.inviteToCaddy, {
    invalidates: [caddy.listCaddyInvitations],
    onFieldErrors: bindFieldErrors(form),
    success: t('Invitation sent'),
    onSuccess: () => form.reset(),
  });
  return (
    <form onSubmit={form.onSubmit((values) => void mutate({ body: values }))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('Your friend’s phone')}
          description={t('We text them a link from your number.')}
          type="tel"
          inputMode="tel"
          {...form.getInputProps('phoneNumber')}
        />
        <Button type="submit" loading={isPending} disabled={!form.values.phoneNumber.trim()}>
          {t('Text an invitation')}
        </Button>
      </Stack>
    </form>
  );
}

type Row = Answer<typeof caddy.listCaddyInvitations>['data'][number];

function Sent() {
  const { response, error, refetch } = useApiQuery(
    caddy.listCaddyInvitations,
    {},
    { silent: true },
  );
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response) return null;
  if (response.data.length === 0)
    return (
      <EmptyState icon={<IconGift size={28} stroke={1.5} />} title={t('No invitations yet')}>
        {t('Friends you invite appear here.')}
      </EmptyState>
    );
  return (
    <ul className={css.rows} aria-label={t('Invitations')}>
      {response.data.map((row: Row) => (
        <li key={row.id}>
          <span>
            <PhoneNumber value={row.phoneNumber} />
            <Text size="sm" c="dimmed" component="span" display="block">
              <Time at={row.sentAt} as="ago" />
            </Text>
          </span>
          <StatusBadge tone={tones[row.status]}>{t(labels[row.status])}</StatusBadge>
        </li>
      ))}
    </ul>
  );
}
