import { routing } from '#contract';
import { t } from '#ui';

type Slots = readonly { value: string; label: string }[];
/** Selects keep their options while the list stays the same object, so each list is made only once. */
function once(make: () => Slots): () => Slots {
  let slots: Slots | null = null;
  return () => (slots ??= make());
}

/** Values of the two openings that are no time. */
export const allDay = 'all';
export const closed = 'closed';

/** Every 15 minutes of a day as 24-hour `HH:MM`, shown like any other time (`9:00 AM`). */
const times: Slots = routing.timeSlots.flatMap(({ value }) =>
  value === null || value.includes('–') ? [] : [{ value, label: routing.displayedTime(value) }],
);
/** B §5: All Day first, Closed last. */
export const openingSlots = once(() => [
  { value: allDay, label: t('All Day') },
  ...times,
  { value: closed, label: t('Closed') },
]);
/** Times a range can end at. Midnight is sent as `24:00`. */
export const closingSlots = once(() => [
  ...times.slice(1),
  { value: '24:00', label: t('Midnight') },
]);
