import { useState } from 'react';
import { Alert, Button, List, Select, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { adminMode, companies } from '#contract';
import {
  bindFieldErrors,
  ErrorState,
  Page,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useFilters,
  useNow,
} from '#ui';
import { CompanySelect } from './CompanySelect.tsx';

interface Ready {
  token: string;
  name: string;
  endsAt: string;
}

/** Starts a remote login: acting as one person of one company, in a tab of its own. */
export default function RemoteLogin() {
  const [ready, setReady] = useState<Ready | null>(null);
  const mode = useApiQuery(adminMode.getAdminMode, {}, { silent: true });
  const entry = mode.response?.data;
  return (
    <Page title={t('Remote login')} layout="read">
      <Section title={t('Act as a person')} about={t('See what they see, to help them.')}>
        <Stack gap="md">
          {mode.error && <ErrorState error={mode.error} retry={mode.refetch} />}
          <Alert color="gray">
            <List size="sm">
              <List.Item>
                {t('They see you among their sessions, as “Support”, and can end it.')}
              </List.Item>
              <List.Item>
                {t('What you do is in the company’s audit log, with your name and reason.')}
              </List.Item>
              <List.Item>
                {entry?.may_write
                  ? t('You can change things, because admin mode allows changes.')
                  : t('You can only read, until you allow changes in admin mode.')}
              </List.Item>
              {entry && (
                <List.Item>
                  {t('It ends with admin mode, at')} <Time at={entry.ends_at} as="time" />
                </List.Item>
              )}
            </List>
          </Alert>
          {ready ? (
            <Opening key={ready.token} ready={ready} close={() => setReady(null)} />
          ) : (
            entry && <StartForm reason={entry.reason} onReady={setReady} />
          )}
        </Stack>
      </Section>
    </Page>
  );
}

/** Whom the lists of companies and people lead to. */
const nobodyGiven = { company: 0, person: 0 };

interface StartProps {
  reason: string;
  onReady: (ready: Ready) => void;
}

function useStartForm({ reason, onReady }: StartProps) {
  const { filters: given } = useFilters(nobodyGiven);
  const form = useForm<{ companyId: string | null; userId: string | null; reason: string }>({
    initialValues: {
      companyId: given.company > 0 ? String(given.company) : null,
      userId: given.person > 0 ? String(given.person) : null,
      reason,
    },
  });
  const { companyId } = form.values;
  const { mutate, isPending, error } = useApiMutation(adminMode.createRemoteLogin, {
    silent: true,
    idempotencyKey: false,
    onFieldErrors: bindFieldErrors(form),
  });
  const people = usePeople(companyId === null ? null : Number(companyId));
  const start = async (values: typeof form.values): Promise<void> => {
    const made = await mutate({
      body: {
        company_id: Number(values.companyId),
        user_id: Number(values.userId),
        reason: values.reason,
      },
    });
    const name = people.find(({ value }) => value === values.userId)?.label ?? '';
    if (made) onReady({ token: made.data.token, name, endsAt: made.data.expires_at });
  };
  return { form, people, start, isPending, error };
}

function StartForm(props: StartProps) {
  const { form, people, start, isPending, error } = useStartForm(props);
  const { companyId, userId } = form.values;
  return (
    <form onSubmit={form.onSubmit((values) => void start(values))}>
      <Stack gap="sm">
        {error && !error.fields['reason'] && (
          <Alert color="red" role="alert">
            {error.status === 404
              ? t('This person isn’t active in the company, or is platform staff.')
              : error.text}
          </Alert>
        )}
        <CompanySelect
          value={companyId}
          onChange={(value) => form.setValues({ companyId: value, userId: null })}
        />
        <Select
          label={t('Person')}
          placeholder={companyId ? t('Choose a person') : t('Choose a company first')}
          searchable
          disabled={!companyId}
          data={people}
          nothingFoundMessage={t('No people found')}
          {...form.getInputProps('userId')}
        />
        <Textarea
          label={t('Reason')}
          autosize
          minRows={2}
          maxLength={300}
          {...form.getInputProps('reason')}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={!companyId || !userId || !form.values.reason.trim()}
        >
          {t('Start remote login')}
        </Button>
      </Stack>
    </form>
  );
}

/** The active people of a company. */
function usePeople(companyId: number | null): { value: string; label: string }[] {
  const { response } = useApiQuery(
    companies.listCompanyUsers,
    { params: { companyId: companyId ?? 0 }, query: { perPage: 250 } },
    { enabled: companyId !== null, silent: true },
  );
  return (response?.data ?? [])
    .filter(({ status }) => status === 'active')
    .map((person) => {
      const name = `${person.first_name} ${person.last_name}`.trim();
      return {
        value: String(person.id),
        label: name ? `${name} (${person.email})` : person.email,
      };
    });
}

/** The link works once and for a minute, so it is a click of its own. */
function Opening({ ready, close }: { ready: Ready; close: () => void }) {
  const [isOpened, setOpened] = useState(false);
  const seconds = Math.ceil((Date.parse(ready.endsAt) - useNow(1000)) / 1000);
  const again = (
    <Button variant="default" onClick={close}>
      {t('Start another one')}
    </Button>
  );
  if (isOpened)
    return (
      <Stack gap="sm" role="status">
        <Text>{t('Opened in a new tab, as {name}.', { name: ready.name })}</Text>
        {again}
      </Stack>
    );
  if (seconds <= 0)
    return (
      <Stack gap="sm" role="status">
        <Text>{t('Not opened within a minute, so it no longer works.')}</Text>
        {again}
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Button
        component="a"
        href={`/remote-login#${ready.token}`}
        target="_blank"
        // Without it the new tab would start with a copy of this one's storage.
        rel="noopener noreferrer"
        onClick={() => setOpened(true)}
      >
        {t('Open as {name}', { name: ready.name })}
      </Button>
      <Text size="sm" c="dimmed">
        {t('Works once, within {n, plural, one {# second} other {# seconds}}.', { n: seconds })}
      </Text>
    </Stack>
  );
}
