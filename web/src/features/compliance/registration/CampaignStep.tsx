import {
  Checkbox,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { plainUseCases, useCases, volumeBands } from '#contract/compliance/registration/lists';
import { limits } from '#contract/compliance/registration/rules';
import { formatNumber, Section, t } from '#ui';
import type { RegistrationForm } from './form.ts';

const options = (list: Record<string, string>) =>
  Object.entries(list).map(([value, label]) => ({ value, label: t(label) }));
const flags = [
  ['has_links', 'Texts contain links'],
  ['has_phone_numbers', 'Texts contain phone numbers'],
  ['age_gated', 'Age-restricted content'],
  ['affiliate_marketing', 'Affiliate marketing'],
  ['direct_lending', 'Lending or loans'],
] as const;

/** Campaign step: what the texts are for, the policies, and what messages contain. */
export function CampaignStep({ form }: { form: RegistrationForm }) {
  const field = (name: string) => form.getInputProps(`campaign.${name}`);
  return (
    <>
      <UseCaseFields form={form} />
      <Section
        title={t('Your policies')}
        about={t(
          'Your privacy policy must say that you text, and that you don’t share numbers or consent.',
        )}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('Privacy policy URL')}
            placeholder="https://"
            {...field('privacy_url')}
          />
          <TextInput label={t('Terms URL')} placeholder="https://" {...field('terms_url')} />
        </SimpleGrid>
      </Section>
      <Section title={t('Message content')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          {flags.map(([name, label]) => (
            <Checkbox
              key={name}
              label={t(label)}
              {...form.getInputProps(`campaign.${name}`, { type: 'checkbox' })}
            />
          ))}
        </SimpleGrid>
      </Section>
    </>
  );
}

function UseCaseFields({ form }: { form: RegistrationForm }) {
  const field = (name: string) => form.getInputProps(`campaign.${name}`);
  const { use_case, description } = form.values.campaign;
  return (
    <Section title={t('What you text about')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('Use case')}
            data={options(useCases)}
            allowDeselect={false}
            {...field('use_case')}
          />
          <Select
            label={t('Texts per month')}
            data={Object.keys(volumeBands)}
            allowDeselect={false}
            {...field('monthly_volume')}
          />
        </SimpleGrid>
        {use_case === 'MIXED' && (
          <MultiSelect
            label={t('Use cases')}
            description={t('Choose two to five.')}
            data={options(plainUseCases)}
            maxValues={limits.subUseCases.most}
            {...field('sub_usecases')}
          />
        )}
        <Textarea
          label={t('Description')}
          description={t(
            'Who receives which texts, and why. {n} of {least} to {most} characters.',
            {
              n: formatNumber(description.trim().length),
              least: limits.description.least,
              most: formatNumber(limits.description.most),
            },
          )}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={limits.description.most}
          {...field('description')}
        />
      </Stack>
    </Section>
  );
}
