import {
  Button,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { branding, tenant as contract, type Answer } from '#contract';
import {
  bindFieldErrors,
  ErrorState,
  focusFirstError,
  formFields,
  Section,
  StatusBadge,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useFollowSaved,
  useUnsavedGuard,
  type Tone,
} from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { BrandEditor } from '../brand/BrandEditor.tsx';
import { RecordsTable } from '../../../shared/RecordsTable.tsx';

type Tenant = Answer<typeof contract.getTenant>['data'];

/** The name, look and mail sender under which an organization offers the product. */
export default function OrganizationTenant() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(contract.getTenant, { params: { companyId } });
  return (
    <SettingsFrame
      row="organization"
      title={t('Brand and email')}
      description={t('How your organization appears to the people in its companies.')}
    >
      {response ? (
        <Stack>
          <Information tenant={response.data} />
          <Look tenant={response.data} />
          <Sender tenant={response.data} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton height={320} aria-busy />
      )}
    </SettingsFrame>
  );
}

/** A form over some of the tenant's fields; `save` sends those and empties become null. */
function useTenantForm<Key extends keyof Tenant>(
  tenant: Tenant,
  keys: readonly Key[],
  success: string,
) {
  const companyId = useCompanyId() ?? 0;
  const valuesOf = (from: Tenant) =>
    Object.fromEntries(keys.map((key) => [key, from[key] ?? ''])) as Record<Key, string>;
  const form = useForm<Record<string, string>>({ initialValues: valuesOf(tenant) });
  const { mutate, isPending } = useApiMutation(contract.updateTenantInformation, {
    success,
    onFieldErrors: bindFieldErrors(form),
    invalidates: [contract.getTenant],
  });
  useUnsavedGuard(form.isDirty());
  useFollowSaved(form, valuesOf(tenant));
  const save = async (values: Record<string, string>): Promise<void> => {
    const body = Object.fromEntries(keys.map((key) => [key, values[key]?.trim() || null]));
    if ('name' in body) body['name'] = values['name']?.trim() ?? '';
    const done = await mutate({ params: { companyId }, body });
    if (done) form.resetDirty();
  };
  const onSubmit = form.onSubmit(
    (values) => void save(values),
    (errors) => focusFirstError(form, errors),
  );
  return { form, onSubmit, isPending };
}

const informationKeys = [
  'name',
  'legal_name',
  'support_email',
  'support_phone',
  'website',
  'privacy_url',
  'terms_url',
  'email_footer',
] as const;

function Information({ tenant }: { tenant: Tenant }) {
  const { form, onSubmit, isPending } = useTenantForm(
    tenant,
    informationKeys,
    t('Information updated successfully'),
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Section title={t('Information')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={t('Name')} required {...form.getInputProps('name')} />
          <TextInput label={t('Legal name')} {...form.getInputProps('legal_name')} />
          <TextInput
            label={t('Support email')}
            type="email"
            {...form.getInputProps('support_email')}
          />
          <TextInput
            label={t('Support phone')}
            type="tel"
            {...form.getInputProps('support_phone')}
          />
          <TextInput label={t('Website')} type="url" {...form.getInputProps('website')} />
          <TextInput
            label={t('Privacy policy')}
            type="url"
            {...form.getInputProps('privacy_url')}
          />
          <TextInput
            label={t('Terms of service')}
            type="url"
            {...form.getInputProps('terms_url')}
          />
        </SimpleGrid>
        <Textarea
          mt="md"
          label={t('Email footer')}
          description={t('Added below every email, such as your address.')}
          autosize
          minRows={2}
          {...form.getInputProps('email_footer')}
        />
        <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
      </Section>
    </form>
  );
}

/** The look of the organization, and whether it names us. */
function Look({ tenant }: { tenant: Tenant }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(branding.setOrganizationBranding, {
    success: t('Look saved'),
    invalidates: [contract.getTenant, contract.getTenantConfig],
  });
  const params = { id: tenant.organization_id };
  const { mutate: change, isPending: isHiding } = useApiMutation(contract.updateTenantInformation, {
    success: t('Tenant settings updated successfully.'),
    invalidates: [contract.getTenant, contract.getTenantConfig],
  });
  return (
    <>
      <BrandEditor
        saved={tenant}
        name={tenant.name}
        about={t('Shown at your custom domain and in the email of your companies.')}
        isPending={isPending}
        save={async (fields) => Boolean(await mutate({ params, body: formFields(fields) }))}
      />
      <Section title={t('Our name')}>
        <Switch
          label={t('Hide “Powered by Trunkline” on sign-in pages')}
          checked={tenant.hide_vendor_name}
          disabled={isHiding}
          onChange={(e) =>
            void change({
              params: { companyId },
              body: { hide_vendor_name: e.currentTarget.checked },
            })
          }
        />
      </Section>
    </>
  );
}

const senderStates: Record<Tenant['email_sender']['state'], { tone: Tone; label: string }> = {
  not_started: { tone: 'neutral', label: t('Not set up') },
  pending: { tone: 'warn', label: t('Waiting for DNS') },
  verified: { tone: 'success', label: t('Verified') },
  failed: { tone: 'danger', label: t('DNS records are gone') },
  expired: { tone: 'danger', label: t('Not verified within 72 hours') },
};

function Sender({ tenant }: { tenant: Tenant }) {
  const companyId = useCompanyId() ?? 0;
  const { email_sender: sender } = tenant;
  const form = useForm({
    initialValues: {
      from_name: sender.from_name ?? tenant.name,
      from_email: sender.from_email ?? '',
    },
  });
  const { mutate, isPending } = useApiMutation(contract.startSenderVerification, {
    success: t('Email sender verification process started.'),
    onFieldErrors: bindFieldErrors(form),
    invalidates: [contract.getTenant],
  });
  const start = (body: typeof form.values) => mutate({ params: { companyId }, body });
  const { tone, label } = senderStates[sender.state];
  return (
    <Section
      title={t('Email sender')}
      about={t(
        'Until it is verified, emails come from this server and replies go to your address.',
      )}
      action={<StatusBadge tone={tone}>{label}</StatusBadge>}
    >
      <form onSubmit={form.onSubmit((values) => void start(values))} noValidate>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={t('From name')} required {...form.getInputProps('from_name')} />
          <TextInput
            label={t('From address')}
            type="email"
            required
            placeholder="hello@example.com"
            {...form.getInputProps('from_email')}
          />
        </SimpleGrid>
        <Group my="md">
          <Button type="submit" loading={isPending}>
            {sender.state === 'not_started' || form.isDirty()
              ? t('Start verification')
              : t('Check now')}
          </Button>
          <span>
            {sender.error}{' '}
            {sender.last_checked_at && (
              <>
                {t('Last checked')} <Time at={sender.last_checked_at} as="ago" />
              </>
            )}
          </span>
        </Group>
      </form>
      <RecordsTable
        records={sender.records}
        isSimulated={tenant.simulated_dns}
        onPublished={() => start(form.values)}
      />
    </Section>
  );
}
