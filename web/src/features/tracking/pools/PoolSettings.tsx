import {
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { routing, type tracking } from '#contract';
import { formatPhoneNumber, Section, t, useApiQuery } from '#ui';
import type { PoolFormModel } from './use-pool-form.ts';
import { useFreeNumbers, useSourceOptions } from './use-options.ts';

interface PartProps {
  form: PoolFormModel;
  mayEdit: boolean;
}

/** Name, which visitors get a number of their own, and the websites. */
export function WebsiteSection({ form, mayEdit }: PartProps) {
  const sources = useSourceOptions();
  const fixed = { readOnly: !mayEdit };
  return (
    <Section title={t('Website')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={t('Name')} maxLength={80} {...fixed} {...form.getInputProps('name')} />
          <Select
            label={t('Who gets a number')}
            allowDeselect={false}
            data={[
              { value: 'visitor', label: t('Each visitor, a different one') },
              { value: 'source', label: t('All visitors of a source, the same one') },
            ]}
            {...fixed}
            {...form.getInputProps('mode')}
          />
        </SimpleGrid>
        {form.values.mode === 'source' && (
          <MultiSelect
            label={t('Sources')}
            placeholder={form.values.sourceIds.length === 0 ? t('All sources') : ''}
            searchable
            nothingFoundMessage={t('No results')}
            data={sources}
            {...fixed}
            {...form.getInputProps('sourceIds')}
          />
        )}
        <TagsInput
          label={t('Websites')}
          description={t('Such as www.example.com, or *.example.com for all below it.')}
          {...fixed}
          {...form.getInputProps('domains')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TagsInput
            label={t('Only on these pages')}
            placeholder={form.values.includePaths.length === 0 ? '/implants*' : ''}
            {...fixed}
            {...form.getInputProps('includePaths')}
          />
          <TagsInput
            label={t('Not on these pages')}
            placeholder={form.values.excludePaths.length === 0 ? '/jobs*' : ''}
            {...fixed}
            {...form.getInputProps('excludePaths')}
          />
          <TagsInput
            label={t('Numbers on the page to replace')}
            {...fixed}
            {...form.getInputProps('swapNumbers')}
          />
          <TagsInput
            label={t('Other websites of yours')}
            description={t(
              'Links to these keep the visitor. To change numbers there, list them under Websites too.',
            )}
            {...fixed}
            {...form.getInputProps('crossDomains')}
          />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}

/** What is kept of each visit besides where it came from. */
export function CaptureSection({ form, mayEdit }: PartProps) {
  const fixed = { readOnly: !mayEdit };
  return (
    <Section
      title={t('Kept with each visit')}
      about={t('Besides the page, the referrer, campaign tags and click IDs.')}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TagsInput
          label={t('Parameters of the address')}
          placeholder={form.values.captureParams.length === 0 ? 'ref' : ''}
          {...fixed}
          {...form.getInputProps('captureParams')}
        />
        <TagsInput
          label={t('Cookies of the page')}
          placeholder={form.values.captureCookies.length === 0 ? '_ga' : ''}
          {...fixed}
          {...form.getInputProps('captureCookies')}
        />
      </SimpleGrid>
    </Section>
  );
}

/** How long a visitor keeps a number, and what happens when none is free. */
export function VisitorSection({ form, mayEdit, pool }: PartProps & { pool: tracking.Pool }) {
  const fixed = { readOnly: !mayEdit };
  const options = useFreeNumbers();
  const current = useDefaultNumber(pool.defaultNumberId);
  const data =
    current && options.every(({ value }) => value !== current.value)
      ? [current, ...options]
      : options;
  return (
    <Section title={t('When no number is free')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('The next visitor sees')}
            allowDeselect={false}
            data={[
              { value: 'fallback', label: t('The default number') },
              { value: 'share', label: t('A number that another visitor sees') },
            ]}
            {...fixed}
            {...form.getInputProps('exhaustedPolicy')}
          />
          <Select
            label={t('Default number')}
            placeholder={t('The page keeps its own number')}
            searchable
            clearable={mayEdit}
            clearButtonProps={{ 'aria-label': t('Clear') }}
            data={data}
            {...fixed}
            {...form.getInputProps('defaultNumberId')}
          />
        </SimpleGrid>
        <VisitTimes form={form} mayEdit={mayEdit} />
        <Remembered remembered={pool.remembered} />
      </Stack>
    </Section>
  );
}

/** How long a visit lasts, and how long its number stays the visitor's. */
function VisitTimes({ form, mayEdit }: PartProps) {
  const fixed = { readOnly: !mayEdit };
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
      <NumberInput
        label={t('A visit ends after minutes')}
        min={5}
        max={240}
        {...fixed}
        {...form.getInputProps('sessionTimeoutMinutes')}
      />
      <NumberInput
        label={t('Then a number rests for minutes')}
        min={0}
        max={1440}
        {...fixed}
        {...form.getInputProps('quarantineMinutes')}
      />
      <NumberInput
        label={t('Visitors get the same number for days')}
        min={0}
        max={365}
        {...fixed}
        {...form.getInputProps('stickyDays')}
      />
    </SimpleGrid>
  );
}

/** How long browsers remember a visitor, whatever the pool says. */
function Remembered({ remembered }: Pick<tracking.Pool, 'remembered'>) {
  const { days, safariDays, host } = remembered;
  return (
    <Text size="sm" c="dimmed">
      {days === 0
        ? t('Visitors stay anonymous, so browsers remember none.')
        : safariDays === days
          ? t('Browsers remember visitors for {days} days, because {host} sets the cookie.', {
              days,
              host: host ?? '',
            })
          : t(
              'Browsers remember visitors for {days} days. Safari for {safariDays}, and 24 hours after a click on an ad.',
              { days, safariDays },
            )}
    </Text>
  );
}

/** The chosen default number as an option: it may be limited or in a list's later page. */
function useDefaultNumber(id: number | null) {
  const { response } = useApiQuery(
    routing.getNumber,
    { params: { id: id ?? 0 } },
    { silent: true, enabled: id !== null },
  );
  const found = response?.data;
  return found
    ? {
        value: String(found.id),
        label: [formatPhoneNumber(found.number), found.label].filter(Boolean).join(', '),
      }
    : null;
}
