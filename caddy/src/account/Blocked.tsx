import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconBan } from '@tabler/icons-react';
import { compliance } from '#contract';
import { bindFieldErrors, EmptyState, ErrorState, t, Time, useApiMutation, useApiQuery } from '#ui';
import { partyName } from '#ui/messaging/labels.ts';
import { AccountPage } from './AccountPage.tsx';
import css from './Account.module.css';

const invalidates = [compliance.listBlocks];

/** Who can neither call nor text the person. */
export default function Blocked() {
  return (
    <AccountPage
      title={t('Blocked people')}
      about={t('Their calls and texts don’t reach you. They aren’t told.')}
    >
      {() => (
        <Stack gap="lg">
          <BlockForm />
          <BlockedList />
        </Stack>
      )}
    </AccountPage>
  );
}

function BlockForm() {
  const form = useForm({ initialValues: { target: '' } });
  const { mutate, isPending } = useApiMutation(compliance.addBlock, {
    invalidates,
    onFieldErrors: bindFieldErrors(form),
    onSuccess: () => form.reset(),
  });
  return (
    <form onSubmit={form.onSubmit((values) => void mutate({ body: values }))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('Phone number')}
          type="tel"
          inputMode="tel"
          {...form.getInputProps('target')}
        />
        <Button type="submit" loading={isPending} disabled={!form.values.target.trim()}>
          {t('Block')}
        </Button>
      </Stack>
    </form>
  );
}

function BlockedList() {
  const { response, error, refetch } = useApiQuery(
    compliance.listBlocks,
    { query: { perPage: 250 } },
    { silent: true },
  );
  const { mutate } = useApiMutation(compliance.removeBlock, { invalidates });
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response) return null;
  if (response.data.length === 0)
    return (
      <EmptyState icon={<IconBan size={28} stroke={1.5} />} title={t('No one is blocked')}>
        {t('People you block appear here.')}
      </EmptyState>
    );
  return (
    <ul className={css.rows} aria-label={t('Blocked people')}>
      {response.data.map(({ id, target, created_at: at }) => (
        <li key={id}>
          <span>
            {partyName(target)}
            <Text size="sm" c="dimmed" component="span" display="block">
              <Time at={at} as="date" />
            </Text>
          </span>
          <Button
            variant="default"
            aria-label={t('Unblock {who}', { who: partyName(target) })}
            onClick={() => void mutate({ params: { id } })}
          >
            {t('Unblock')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
