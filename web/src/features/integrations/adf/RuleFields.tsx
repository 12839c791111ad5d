import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import { adfFirstContactDays } from '#contract/integrations/adf/rules';
import { deliveryEvents } from '#contract/integrations/rules';
import { NumberInput, t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import type { Form } from './form-values.ts';

/** What is sent. */
export const RuleFields = ({ form }: { form: Form }) => (
  <>
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label={t('Send when')}
        allowDeselect={false}
        data={deliveryEvents.map((value) => ({ value, label: eventLabel(value) }))}
        {...form.getInputProps('event')}
      />
      <NumberInput
        label={t('Shortest call')}
        suffix={t(' seconds')}
        min={0}
        max={86_400}
        allowDecimal={false}
        {...form.getInputProps('minDuration')}
      />
    </SimpleGrid>
    <Checkbox
      label={t('Only people who haven’t called in {days} days', {
        days: String(adfFirstContactDays),
      })}
      {...form.getInputProps('isFirstContactOnly', { type: 'checkbox' })}
    />
  </>
);

/** What the document says besides who called. */
export const ContentFields = ({ form }: { form: Form }) => (
  <Stack gap="xs">
    {(
      [
        ['source', t('Source and campaign')],
        ['summary', t('Summary of the call')],
        ['transcript', t('Transcript')],
        ['recordingLink', t('Link to the recording, for people who sign in here')],
        ['withVehicle', t('Vehicle, from custom fields named year, make, model or VIN')],
      ] as const
    ).map(([name, label]) => (
      <Checkbox key={name} label={label} {...form.getInputProps(name, { type: 'checkbox' })} />
    ))}
  </Stack>
);
