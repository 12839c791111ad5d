import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { deliveryEvents } from '#contract/integrations/rules';
import { NumberInput, t } from '#ui';
import { NarrowFields, WhenFields } from '../WhenFields.tsx';
import type { ConversionValues } from './form-values.ts';

const callEvents = deliveryEvents.filter(
  (event) => event !== 'message.received' && event !== 'form',
);

/** Which calls count as conversions, what they are worth, and when they are uploaded. */
export const ConversionFields = ({
  values,
  field,
  correction,
  children,
}: {
  values: ConversionValues;
  field: (name: keyof ConversionValues) => object;
  /** What becomes of a conversion that is taken back after its upload. */
  correction: string;
  /** Fields of the platform that belong to a conversion. */
  children?: ReactNode;
}) => (
  <>
    <WhenFields label={t('Count a conversion when')} required events={callEvents} field={field} />
    {children}
    <NarrowFields values={values} field={field} />
    <Select
      label={t('Value')}
      allowDeselect={false}
      data={[
        { value: 'from_call', label: t('The value of the call') },
        { value: 'fixed_cents', label: t('The same for each') },
        { value: 'none', label: t('None') },
      ]}
      {...field('value')}
    />
    {values.value === 'fixed_cents' && (
      <NumberInput
        label={t('Value of each')}
        prefix="$"
        min={0}
        decimalScale={2}
        {...field('dollars')}
      />
    )}
    <Select
      label={t('Upload')}
      description={correction}
      allowDeselect={false}
      data={[
        { value: '0', label: t('At once') },
        { value: '60', label: t('After an hour') },
        { value: '1440', label: t('After a day') },
        { value: '4320', label: t('After 3 days') },
      ]}
      {...field('delay')}
    />
  </>
);
