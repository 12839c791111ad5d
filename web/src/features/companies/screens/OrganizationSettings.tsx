import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { organizations } from '#contract';
import {
  bindFieldErrors,
  confirmTyped,
  navigate,
  Section,
  t,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { zoneOptions } from '../../settings/index.ts';
import { OrganizationPage, type Organization } from '../organization/OrganizationPage.tsx';

/** The organization's name, short name and time zone, and its deletion. */
export default function OrganizationSettings() {
  return (
    <OrganizationPage title={t('Organization settings')} layout="read">
      {(organization) => (
        <Stack gap="xl">
          <Profile key={organization.id} organization={organization} />
          <DeleteOrganization organization={organization} />
        </Stack>
      )}
    </OrganizationPage>
  );
}

function Profile({ organization }: { organization: Organization }) {
  const { id, name, slug, timezone } = organization;
  const form = useForm({ initialValues: { name, slug, timezone } });
  const { mutate, isPending } = useApiMutation(organizations.updateOrganization, {
    success: t('Organization updated'),
    onFieldErrors: bindFieldErrors(form),
    onSuccess: () => form.resetDirty(),
  });
  useUnsavedGuard(form.isDirty());
  return (
    <form onSubmit={form.onSubmit((body) => void mutate({ params: { id }, body }))} noValidate>
      <Stack>
        <TextInput label={t('Name')} required {...form.getInputProps('name')} />
        <TextInput label={t('Short name')} required {...form.getInputProps('slug')} />
        <Select
          label={t('Time zone')}
          data={zoneOptions()}
          searchable
          required
          {...form.getInputProps('timezone')}
        />
        <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
      </Stack>
    </form>
  );
}

function DeleteOrganization({ organization }: { organization: Organization }) {
  const { mutate } = useApiMutation(organizations.deleteOrganization, {
    success: t('Organization deleted'),
    onSuccess: () => navigate('/'),
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirmTyped({
      title: t('Delete {name}?', { name: organization.name }),
      body: t('This can’t be undone.'),
      confirmLabel: t('Delete organization'),
      requiredText: organization.name,
    });
    if (isSure) await mutate({ params: { id: organization.id } });
  };
  return (
    <Section title={t('Delete organization')}>
      <Button
        variant="default"
        disabled={organization.accounts.length > 0}
        onClick={() => void ask()}
      >
        {t('Delete organization')}
      </Button>
      {organization.accounts.length > 0 && <p>{t('Remove its companies first.')}</p>}
    </Section>
  );
}
