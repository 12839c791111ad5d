import type { DateStyle } from '#contract/date-style';
import { companySettingsOf } from '#contract/settings/rules';

/** How a company with these settings writes dates and times. */
export function dateStyleOf(settings: unknown): DateStyle {
  const { locale, date_format, time_format } = companySettingsOf(settings);
  return { locale, date_format, time_format };
}
