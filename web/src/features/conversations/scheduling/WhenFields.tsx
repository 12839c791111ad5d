import { Checkbox, TextInput } from '@mantine/core';
import { formatTime, t, zoneName } from '#ui';
import { zonedInstant, toLocalInput, schedulePresets, formatWhen } from './schedule-times.ts';
import { scheduleTimeError } from './schedule-time-error.ts';
import css from './WhenFields.module.css';

export interface When {
  at: Date | null;
  problem: string | null;
  cancelIfReply: boolean;
}

/** The send time (presets or a custom minute), and whether a reply cancels the message. */
export function WhenFields({
  zone,
  value,
  onChange,
}: {
  zone: string;
  value: When;
  onChange: (value: When) => void;
}) {
  const now = new Date();
  const set = (at: Date | null): void =>
    onChange({ ...value, at, problem: scheduleTimeError(at, new Date()) });
  return (
    <div className={css.fields}>
      <div className={css.presets} role="group" aria-label={t('Times to choose from')}>
        {schedulePresets(now, zone).map((p) => (
          <button
            key={p.label}
            type="button"
            className={css.preset}
            aria-pressed={value.at?.getTime() === p.at.getTime()}
            onClick={() => set(p.at)}
          >
            <span>{p.label}</span>
            <span className={css.time}>
              {p.at.getTime() - now.getTime() < 36 * 3_600_000
                ? formatTime(p.at, zone)
                : formatWhen(p.at, now, zone)}
            </span>
          </button>
        ))}
      </div>
      <TextInput
        type="datetime-local"
        label={t('Send at')}
        description={t('In your time zone, {zone}', { zone: zoneName(zone) })}
        value={value.at ? toLocalInput(value.at, zone) : ''}
        min={toLocalInput(now, zone)}
        error={value.problem ?? undefined}
        onChange={(e) => set(zonedInstant(e.currentTarget.value, zone))}
      />
      <Checkbox
        label={t('Cancel if they reply first')}
        checked={value.cancelIfReply}
        onChange={(e) => onChange({ ...value, cancelIfReply: e.currentTarget.checked })}
      />
    </div>
  );
}
