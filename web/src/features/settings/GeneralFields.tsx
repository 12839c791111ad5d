import { Select, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import {
  companySettingBounds,
  companySettingDefaults,
  type CompanySettings,
} from '#contract/settings/rules';
import { NumberInput, t } from '#ui';

export type SettingsForm = UseFormReturnType<{ settings: CompanySettings }>;
type SettingNameOf<Kind> = {
  [Name in keyof CompanySettings]: CompanySettings[Name] extends Kind ? Name : never;
}[keyof CompanySettings];
interface Field {
  form: SettingsForm;
  label: string;
  description?: string;
}

/** A switch. */
export const SwitchSetting = ({
  form,
  of: name,
  label,
  description: about,
}: Field & { of: SettingNameOf<boolean> }) => (
  <Switch
    label={label}
    {...(about && { description: about })}
    {...form.getInputProps(`settings.${name}`, { type: 'checkbox' })}
  />
);

/** A select with a few choices. */
export const SelectSetting = ({
  form,
  of: name,
  label,
  description: about,
  options,
}: Field & {
  of:
    | 'recording_announcement_default'
    | 'quiet_hours.mode'
    | 'attribution_model_default'
    | 'spam_screening'
    | 'date_format'
    | 'time_format'
    | 'locale';
  options: [string, string][];
}) => (
  <Select
    label={label}
    {...(about && { description: about })}
    allowDeselect={false}
    mt={name === 'quiet_hours.mode' ? 'sm' : 0}
    maw={460}
    data={options.map(([value, words]) => ({ value, label: words }))}
    {...form.getInputProps(`settings.${name}`)}
  />
);

/** A whole number; its bounds and default are in the description. */
export function NumberSetting({
  form,
  of: name,
  label,
  description: about,
  suffix,
}: Field & { of: keyof typeof companySettingBounds; suffix: string }) {
  const [least, most] = companySettingBounds[name];
  const bounds = t('{least} to {most}. Default: {usual}.', {
    least: least.toLocaleString('en-US'),
    most: most.toLocaleString('en-US'),
    usual: companySettingDefaults[name].toLocaleString('en-US'),
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
      {...form.getInputProps(`settings.${name}`)}
    />
  );
}
