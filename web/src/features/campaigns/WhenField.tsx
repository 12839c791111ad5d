import { SegmentedControl, TextInput } from '@mantine/core';
import { t } from '#ui';
import { instantOf, localOf } from '../conversations/later.ts';
import css from './WhenField.module.css';

/** Now, or at a time of the reader's zone. `null` is now. */
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
  const tomorrow = instantOf(
    `${localOf(new Date(now.getTime() + 86_400_000), zone).slice(0, 10)}T10:00`,
    zone,
  )!;
  return (
    <div className={css.when}>
      <SegmentedControl
        aria-label={t('When it goes out')}
        value={value === null ? 'now' : 'later'}
        onChange={(v) => onChange(v === 'now' ? null : tomorrow.toISOString())}
        data={[
          { value: 'now', label: t('As soon as I send it') },
          { value: 'later', label: t('At a time') },
        ]}
      />
      {value !== null && (
        <TextInput
          type="datetime-local"
          label={t('Goes out at')}
          description={t('In your time, {zone}', { zone: zone.replaceAll('_', ' ') })}
          value={localOf(new Date(value), zone)}
          min={localOf(now, zone)}
          error={error}
          onChange={(e) => {
            const at = instantOf(e.currentTarget.value, zone);
            if (at) onChange(at.toISOString());
          }}
        />
      )}
    </div>
  );
}
