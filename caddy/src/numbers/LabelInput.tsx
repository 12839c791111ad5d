import { TextInput } from '@mantine/core';
import { t } from '#ui';

/** What a number is for, in the person's own words. */
export const LabelInput = ({
  value,
  onChange,
}: {
  value: string;
  onChange: (label: string) => void;
}) => (
  <TextInput
    data-autofocus
    label={t('What is it for?')}
    description={t('Only you see this.')}
    placeholder={t('Marketplace')}
    maxLength={80}
    value={value}
    onChange={(e) => onChange(e.currentTarget.value)}
  />
);
