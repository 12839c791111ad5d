/**
 * Company settings and their defaults (decisions A20; permission switches A4; `redact_ssn` and
 * `redact_dob` A9.3). Only settings that have an effect are listed.
 */
export const companySettingDefaults = {
  // Defaults of new numbers; existing numbers keep their values.
  record_calls_default: false,
  recording_announcement_default: 'default' as 'none' | 'default',
  transcription_default: false,
  voicemail_transcription: true,
  voicemail_email_attach: true,
  recording_retention_days: 365,
  redact_card_numbers: true,
  redact_ssn: false,
  redact_dob: false,
  quiet_hours: { start: '21:00', end: '08:00', mode: 'recipient' as 'recipient' | 'company' },
  recently_texted_guard_hours: 24,
  max_campaign_size: 10_000,
  campaign_approval_required: false,
  default_unsubscribe_text: 'Reply STOP to stop.',
  users_can_configure_numbers: true,
  users_can_purchase_numbers: false,
  users_can_export: true,
  users_can_bulk_contacts: false,
  mask_contact_details_for_users: false,
  reporting_can_edit_calls: true,
  export_link_hours: 24,
};

export type CompanySettings = typeof companySettingDefaults;

export const companySettingNames = Object.keys(companySettingDefaults) as (keyof CompanySettings)[];

/** Smallest and largest value of numeric settings. */
export const companySettingBounds = {
  recording_retention_days: [30, 3650],
  recently_texted_guard_hours: [0, 168],
  max_campaign_size: [1, 100_000],
  export_link_hours: [1, 168],
} as const;

/** Time of day, such as "21:00". */
export const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A company's effective settings: stored values where they are valid, otherwise the defaults. */
export function companySettingsOf(raw: unknown): CompanySettings {
  const said = (raw ?? {}) as Record<string, unknown>;
  const bounds: Record<string, readonly [number, number]> = companySettingBounds;
  return Object.fromEntries(
    companySettingNames.map((name): [string, unknown] => {
      const [usual, own] = [companySettingDefaults[name], said[name]];
      if (name === 'quiet_hours') {
        const hours = (own ?? {}) as Partial<CompanySettings['quiet_hours']>;
        const time = (value: unknown, fallback: string) =>
          typeof value === 'string' && timeOfDay.test(value) ? value : fallback;
        const { start, end } = companySettingDefaults.quiet_hours;
        return [
          name,
          {
            start: time(hours.start, start),
            end: time(hours.end, end),
            mode: hours.mode === 'company' ? 'company' : 'recipient',
          },
        ];
      }
      if (name === 'recording_announcement_default')
        return [name, own === 'none' ? 'none' : 'default'];
      if (name === 'default_unsubscribe_text')
        return [name, typeof own === 'string' && own.trim() ? own : usual];
      if (typeof usual === 'boolean') return [name, typeof own === 'boolean' ? own : usual];
      const [least, most] = bounds[name]!; // every setting that is a number has them
      return [
        name,
        typeof own === 'number' && own >= least && own <= most ? Math.trunc(own) : usual,
      ];
    }),
  ) as CompanySettings;
}
