import {
  Alert,
  Button,
  Group,
  PasswordInput,
  SimpleGrid,
  Skeleton,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { tenant as contract, type Answer } from '#contract';
import {
  bindFieldErrors,
  ErrorState,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  type Tone,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { RecordsTable } from '../../../shared/RecordsTable.tsx';

type Domain = NonNullable<Answer<typeof contract.getCustomDomain>['data']>;

const states: Record<Domain['status'], { tone: Tone; label: string }> = {
  pending_dns: { tone: 'warn', label: t('Waiting for DNS') },
  issuing_certificate: { tone: 'info', label: t('Issuing a certificate') },
  active: { tone: 'success', label: t('Active') },
  failed: { tone: 'danger', label: t('Failed') },
};

/** The organization's own domain: its hosts, their DNS and certificate. */
export default function OrganizationDomain() {
  const companyId = useCompanyId() ?? 0;
  const params = { params: { companyId } };
  const domain = useApiQuery(contract.getCustomDomain, params);
  const tenant = useApiQuery(contract.getTenant, params);
  const error = domain.error ?? tenant.error;
  return (
    <SettingsFrame
      row="organization"
      title={t('Custom domain')}
      description={t('People in your organization sign in at your own address.')}
    >
      {error ? (
        <ErrorState
          error={error}
          retry={() => {
            domain.refetch();
            tenant.refetch();
          }}
        />
      ) : domain.response && tenant.response ? (
        <DomainForm
          key={domain.response.data?.app_host ?? 'new'}
          domain={domain.response.data}
          isSimulated={tenant.response.data.simulated_dns}
        />
      ) : (
        <Skeleton height={320} aria-busy />
      )}
    </SettingsFrame>
  );
}

const labelOf = (host: string | undefined, domain: string | undefined, usual: string): string =>
  host && domain ? host.slice(0, -domain.length - 1) : usual;

function DomainForm({ domain, isSimulated }: { domain: Domain | null; isSimulated: boolean }) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: {
      domain: domain?.domain ?? '',
      appSubdomain: labelOf(domain?.app_host, domain?.domain, 'app'),
      apiSubdomain: labelOf(domain?.api_host, domain?.domain, 'api'),
      authToken: '',
    },
  });
  const { mutate, isPending } = useApiMutation(contract.setCustomDomain, {
    success: t('Custom domain configuration created'),
    onFieldErrors: bindFieldErrors(form),
    invalidates: [contract.getCustomDomain, contract.getTenant],
  });
  const save = ({ authToken, ...values }: typeof form.values) =>
    mutate({ params: { companyId }, body: { ...values, ...(authToken && { authToken }) } });
  const state = domain && states[domain.status];
  return (
    <Stack>
      <form onSubmit={form.onSubmit((values) => void save(values))} noValidate>
        <Section
          title={t('Domain')}
          action={state && <StatusBadge tone={state.tone}>{state.label}</StatusBadge>}
        >
          <TextInput
            label={t('Domain')}
            placeholder="example.com"
            required
            {...form.getInputProps('domain')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} mt="md">
            <TextInput
              label={t('App subdomain')}
              required
              {...form.getInputProps('appSubdomain')}
            />
            <TextInput
              label={t('Subdomain of the API')}
              required
              {...form.getInputProps('apiSubdomain')}
            />
          </SimpleGrid>
          <PasswordInput
            mt="md"
            label={t('DNS provider token')}
            description={
              domain?.has_auth_token
                ? t('One is stored. Enter another to replace it.')
                : t('Optional. Encrypted and never shown again.')
            }
            autoComplete="off"
            {...form.getInputProps('authToken')}
          />
          <DomainConflicts name={form.values.domain} />
          <Group mt="md">
            <Button type="submit" loading={isPending}>
              {domain && !form.isDirty() ? t('Check now') : t('Use this domain')}
            </Button>
          </Group>
        </Section>
      </form>
      {domain && (
        <Section
          title={t('DNS records')}
          about={t('Create these where you manage your domain. We check every 15 minutes.')}
        >
          {domain.error && (
            <Alert color={domain.status === 'failed' ? 'red' : 'yellow'} mb="sm">
              {domain.error}
            </Alert>
          )}
          <RecordsTable
            records={domain.records}
            isSimulated={isSimulated}
            onPublished={() => save(form.values)}
          />
          {domain.certificate_expires_at && (
            <p>
              {t('Certificate valid until')} <Time at={domain.certificate_expires_at} as="date" />
            </p>
          )}
        </Section>
      )}
    </Stack>
  );
}

/** Says while typing when a name is no domain, or others use its hosts. */
function DomainConflicts({ name }: { name: string }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    contract.checkCustomDomain,
    { params: { companyId }, query: { domainName: name.trim() } },
    { enabled: name.trim().includes('.'), silent: true, staleTime: 60_000 },
  );
  if (!response || !name.trim().includes('.')) return null;
  const { valid, conflicts } = response.data;
  if (!valid)
    return (
      <Alert color="yellow" mt="md">
        {t('Enter a domain that you registered, such as example.com.')}
      </Alert>
    );
  if (conflicts.length === 0) return null;
  return (
    <Alert color="yellow" mt="md">
      {t('Another organization already uses {host}.', { host: conflicts.join(', ') })}
    </Alert>
  );
}
