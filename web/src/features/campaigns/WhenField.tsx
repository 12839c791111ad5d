import { SegmentedControl, TextInput } from '@mantine/core';
import { t, zoneName } from '#ui';
import { zonedInstant, toLocalInput } from '../conversations/index.ts';
import css from './WhenField.module.css';

/** Now (null) or a time, shown in the user's time zone. */
export function WhenField({
  zone,
  value,
  error,
  onChange,
}: {
  zone: string;
  value: string | null;
  error: React.ReactNode;
  onChange: (at: string | null) => void;
}) {
  const now = new Date();
  return (
    <div className={css.when}>
      <SegmentedControl
        aria-label={t('When to send')}
        value={value === null ? 'now' : 'later'}
        onChange={(v) => onChange(v === 'now' ? null : tomorrowAtTen(zone))}
        data={[
          { value: 'now', label: t('Right away') },
          { value: 'later', label: t('At a scheduled time') },
        ]}
      />
      {value !== null && (
        <TextInput
          type="datetime-local"
          label={t('Send at')}
          description={t('In your time zone, {zone}', { zone: zoneName(zone) })}
          value={toLocalInput(new Date(value), zone)}
          min={toLocalInput(now, zone)}
          error={error}
          onChange={(e) => {
            const at = zonedInstant(e.currentTarget.value, zone);
            if (at) onChange(at.toISOString());
          }}
        />
      )}
    </div>
  );
}

/** Tomorrow at 10:00 in a time zone, in ISO form. */
function tomorrowAtTen(zone: string): string | null {
  const day = toLocalInput(new Date(Date.now() + 86_400_000), zone).slice(0, 10);
  return zonedInstant(`${day}T10:00`, zone)?.toISOString() ?? null;
}
