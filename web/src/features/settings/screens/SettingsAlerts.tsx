import { Stack } from '@mantine/core';
import { alertSettings } from '#contract/settings/catalogue-alerts';
import { settingRules, type SettingKey } from '#contract/settings/rules';
import { Section, t } from '#ui';
import { NumberSetting } from '../GeneralFields.tsx';
import { SettingsScreen } from '../SettingsScreen.tsx';

type Key = keyof typeof alertSettings;
const keys = Object.keys(alertSettings) as (Key & SettingKey)[];

/** Thresholds by what they are about. */
const sections = (): { title: string; keys: Key[] }[] => [
  {
    title: t('Calls'),
    keys: [
      'alert_missed_percent',
      'alert_calls_deviations',
      'alert_number_silent_days',
      'alert_forward_failing_percent',
      'alert_short_calls',
      'alert_spam_calls',
      'alert_recordings_percent',
      'alert_transcripts_percent',
      'alert_negative_percent',
    ],
  },
  { title: t('Texts'), keys: ['alert_delivered_percent', 'alert_opt_out_percent'] },
  {
    title: t('Tracking'),
    keys: [
      'alert_script_silent_hours',
      'alert_pool_exhausted',
      'alert_pool_oversized_percent',
      'alert_matched_points',
      'alert_unknown_points',
    ],
  },
  {
    title: t('Integrations'),
    keys: ['alert_integration_silent_hours', 'alert_key_unused_days'],
  },
];

/** From when on the company's alerts are raised. */
export default function SettingsAlerts() {
  return (
    <SettingsScreen title={t('Alerts')} about={t('Set when each alert is raised.')} keys={keys}>
      {(form) =>
        sections().map((section) => (
          <Section key={section.title} title={section.title}>
            <Stack gap="sm">
              {section.keys.map((key) => {
                const { label, help, unit } = settingRules[key];
                return (
                  <NumberSetting
                    key={key}
                    form={form}
                    of={key}
                    label={label}
                    description={help}
                    suffix={unit?.startsWith('%') ? unit : ` ${unit ?? ''}`}
                  />
                );
              })}
            </Stack>
          </Section>
        ))
      }
    </SettingsScreen>
  );
}
