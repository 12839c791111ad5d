import { NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { Section, t } from '#ui';
import type { PoolFormModel } from './use-pool-form.ts';
import { useTemplateOptions } from './use-options.ts';

/** Where calls to the pool's numbers go. */
export function CallsSection({ form, mayEdit }: { form: PoolFormModel; mayEdit: boolean }) {
  const templates = useTemplateOptions();
  const fixed = { readOnly: !mayEdit };
  return (
    <Section
      title={t('Calls')}
      about={t('All numbers of the pool follow. What you leave open stays as each number has it.')}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <Select
          label={t('Template')}
          placeholder={t('None')}
          clearable={mayEdit}
          clearButtonProps={{ 'aria-label': t('Clear') }}
          data={templates}
          {...fixed}
          {...form.getInputProps('templateId')}
        />
        <TextInput
          label={t('Forward calls to')}
          placeholder="(212) 555-0147"
          inputMode="tel"
          {...fixed}
          {...form.getInputProps('forwardNumber')}
        />
        <Select
          label={t('Record calls')}
          allowDeselect={false}
          data={[
            { value: '', label: t('As each number has it') },
            { value: 'yes', label: t('Yes') },
            { value: 'no', label: t('No') },
          ]}
          {...fixed}
          {...form.getInputProps('record')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt="sm">
        <NumberInput
          label={t('Recognize callers for days')}
          description={t('A known caller is matched to their last visit in this time.')}
          min={1}
          max={365}
          {...fixed}
          {...form.getInputProps('lookbackDays')}
        />
        <Switch
          mt={{ base: 0, sm: 'md' }}
          label={t('Announce the source')}
          description={t('Spoken to the person who answers, before the caller is connected.')}
          disabled={!mayEdit}
          {...form.getInputProps('whisperSource', { type: 'checkbox' })}
        />
      </SimpleGrid>
    </Section>
  );
}
