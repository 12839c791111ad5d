import { Select, SimpleGrid, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { marketplace } from '#contract';
import { Section, t } from '#ui';
import type { ItemFormState, ItemValues } from './item-values.ts';
import { tierName } from './labels.ts';

/** What buyers see of a marketplace number. */
export function PublicItemFields({
  form,
  isTollFree,
}: {
  form: ItemFormState;
  isTollFree: boolean;
}) {
  const at = (field: keyof ItemValues) => form.getInputProps(field);
  return (
    <Section title={t('Public description')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={t('What it spells')} {...at('vanity_text')} />
          <TagsInput label={t('Words')} {...at('words')} />
          <Select
            label={t('Tier')}
            allowDeselect={false}
            data={marketplace.marketplaceTiers.map((x) => ({ value: x, label: tierName(x) }))}
            {...at('tier')}
          />
          <TagsInput label={t('Industries')} {...at('industries')} />
          <TagsInput label={t('Exclusive in these states')} placeholder="NY" {...at('states')} />
          <TagsInput
            label={t('Exclusive in these area codes')}
            placeholder="212"
            {...at('area_codes')}
          />
        </SimpleGrid>
        <Textarea label={t('Description')} autosize minRows={3} {...at('description')} />
        <Textarea
          label={t('Legal notice')}
          description={
            isTollFree
              ? t(
                  'Toll-free numbers are a public resource: their service is leased or assigned, the number is never sold.',
                )
              : undefined
          }
          autosize
          minRows={2}
          {...at('legal_notice')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('Web address')}
            description={t('Lowercase letters, digits and dashes.')}
            {...at('seo_slug')}
          />
          <TextInput label={t('Send questions to')} type="email" {...at('contact_email')} />
        </SimpleGrid>
        <Switch label={t('Featured')} {...form.getInputProps('featured', { type: 'checkbox' })} />
      </Stack>
    </Section>
  );
}
