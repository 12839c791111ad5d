import {
  Checkbox,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { plainUseCases, useCases, volumeBands } from '#contract/registration-lists';
import { limits } from '#contract/registration-rules';
import { formatNumber, Section, t } from '#ui';
import type { RegistrationForm } from './form.ts';

const options = (list: Record<string, string>) =>
  Object.entries(list).map(([value, label]) => ({ value, label: t(label) }));
const flags = [
  ['has_links', 'Texts contain links'],
  ['has_phone_numbers', 'Texts contain phone numbers'],
  ['age_gated', 'For adults only'],
  ['affiliate_marketing', 'Affiliate marketing'],
  ['direct_lending', 'Lending or loans'],
] as const;

/** What the texts are for. */
export function CampaignStep({ form }: { form: RegistrationForm }) {
  const field = (name: string) => form.getInputProps(`campaign.${name}`);
  const { use_case, description } = form.values.campaign;
  return (
    <>
      <Section title={t('What the texts are for')}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Select
              label={t('Use')}
              data={options(useCases)}
              allowDeselect={false}
              {...field('use_case')}
            />
            <Select
              label={t('Texts a month')}
              data={Object.keys(volumeBands)}
              allowDeselect={false}
              {...field('monthly_volume')}
            />
          </SimpleGrid>
          {use_case === 'MIXED' && (
            <MultiSelect
              label={t('Uses')}
              description={t('Two to five.')}
              data={options(plainUseCases)}
              maxValues={limits.subUseCases.most}
              {...field('sub_usecases')}
            />
          )}
          <Textarea
            label={t('Description')}
            description={t('Who gets which texts, and why. {n} of {least} to {most} characters.', {
              n: formatNumber(description.trim().length),
              least: limits.description.least,
              most: formatNumber(limits.description.most),
            })}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={limits.description.most}
            {...field('description')}
          />
        </Stack>
      </Section>
      <Section
        title={t('Your policies')}
        about={t(
          'The privacy policy must say that you text, and that numbers and consent are not shared.',
        )}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('Address of the privacy policy')}
            placeholder="https://"
            {...field('privacy_url')}
          />
          <TextInput
            label={t('Address of the terms')}
            placeholder="https://"
            {...field('terms_url')}
          />
        </SimpleGrid>
      </Section>
      <Section title={t('What is in them')}>
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
