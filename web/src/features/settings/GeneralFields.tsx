import { Select, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import {
  companySettingBounds,
  companySettingDefaults,
  type CompanySettings,
} from '#contract/setting-rules';
import { NumberInput, t } from '#ui';

export type SettingsForm = UseFormReturnType<{ settings: CompanySettings }>;
type Named<Kind> = {
  [Name in keyof CompanySettings]: CompanySettings[Name] extends Kind ? Name : never;
}[keyof CompanySettings];
interface Field {
  form: SettingsForm;
  label: string;
  about?: string;
}

/** On or off. */
export const Turn = ({ form, of, label, about }: Field & { of: Named<boolean> }) => (
  <Switch
    label={label}
    {...(about && { description: about })}
    {...form.getInputProps(`settings.${of}`, { type: 'checkbox' })}
  />
);

/** One of a few. */
export const Choice = ({
  form,
  of,
  label,
  about,
  options,
}: Field & {
  of: 'recording_announcement_default' | 'quiet_hours.mode';
  options: [string, string][];
}) => (
  <Select
    label={label}
    {...(about && { description: about })}
    allowDeselect={false}
    mt={of === 'quiet_hours.mode' ? 'sm' : 0}
    maw={460}
    data={options.map(([value, words]) => ({ value, label: words }))}
    {...form.getInputProps(`settings.${of}`)}
  />
);

/** A whole number within its bounds; the default stands below it. */
export function Count({
  form,
  of,
  label,
  about,
  suffix,
}: Field & { of: keyof typeof companySettingBounds; suffix: string }) {
  const [least, most] = companySettingBounds[of];
  const bounds = t('{least} to {most}, usually {usual}.', {
    least: least.toLocaleString('en-US'),
    most: most.toLocaleString('en-US'),
    usual: companySettingDefaults[of].toLocaleString('en-US'),
  });
  return (
    <NumberInput
      label={label}
      description={about ? `${about} ${bounds}` : bounds}
      suffix={suffix}
      thousandSeparator=","
      maw={460}
      min={least}
      max={most}
      clampBehavior="none"
      allowDecimal={false}
      allowNegative={false}
      {...form.getInputProps(`settings.${of}`)}
    />
  );
}
