import { routing } from '#contract';
import { t } from '#ui';

/** Every 15 minutes of a day as 24-hour `HH:MM`, shown like any other time (`9:00 AM`). */
export const timeSlots = routing.timeSlots.flatMap(({ value }) =>
  value === null || value.includes('–') ? [] : [{ value, label: routing.displayedTime(value) }],
);

/** Times a range can end at. Midnight is sent as `24:00`. */
export const closingSlots = (): { value: string; label: string }[] => [
  ...timeSlots.slice(1),
  { value: '24:00', label: t('Midnight') },
];
