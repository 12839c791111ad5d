import { MultiSelect, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { companies } from '#contract';
import { t, useApiQuery } from '#ui';
import type { TriggerFormState } from './trigger-values.ts';

/** Who is notified of a match, and from when until when the keyword is active. */
export function TriggerNotifications({ form }: { form: TriggerFormState }) {
  const people = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true, staleTime: 60_000 },
  );
  return (
    <>
      <MultiSelect
        label={t('Notify these people')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Clear') }}
        data={(people.response?.data ?? []).map((p) => ({
          value: String(p.id),
          label: `${p.first_name} ${p.last_name}`.trim() || p.email,
        }))}
        {...form.getInputProps('notify_user_ids')}
      />
      <TagsInput
        label={t('Send an email to')}
        placeholder={form.values.notify_email.length ? '' : 'desk@example.com'}
        maxTags={20}
        {...form.getInputProps('notify_email')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          type="datetime-local"
          label={t('From')}
          description={t('Leave empty to start right away')}
          {...form.getInputProps('start_at')}
        />
        <TextInput
          type="datetime-local"
          label={t('Until')}
          description={t('Leave empty to never end')}
          {...form.getInputProps('end_at')}
        />
      </SimpleGrid>
    </>
  );
}
