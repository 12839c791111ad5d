import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { formatTime, Modal, t, userZone, zoneName } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import {
  zonedInstant,
  toLocalInput,
  schedulePresets,
  formatWhen,
} from '../scheduling/schedule-times.ts';
import { scheduleTimeError } from '../scheduling/schedule-time-error.ts';
import { conversationName } from '#ui/messaging/labels.ts';
import css from '../scheduling/WhenFields.module.css';

interface SnoozeProps {
  list: readonly Conversation[];
  onPick: (until: Date | null) => void;
  onClose: () => void;
}

/** Chooses until when conversations are snoozed: presets with a key each, or a custom minute. */
export function SnoozeDialog({ list, onPick, onClose }: SnoozeProps) {
  const now = new Date();
  const isSnoozed = list.every((c) => c.snoozedUntil !== null);
  const title =
    list.length === 1 && list[0]
      ? t('Snooze conversation with {name}', { name: conversationName(list[0]) })
      : t('{n, plural, one {Snooze # conversation} other {Snooze # conversations}}', {
          n: list.length,
        });
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="xs"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={css.fields}>
        <Presets now={now} onPick={onPick} />
        <CustomTime now={now} onPick={onPick} />
        {isSnoozed && (
          <Button
            variant="default"
            leftSection={<IconBell size={16} aria-hidden />}
            onClick={() => onPick(null)}
          >
            {t('Bring back now')}
          </Button>
        )}
      </div>
    </Modal>
  );
}

function Presets({ now, onPick }: { now: Date; onPick: (until: Date) => void }) {
  const zone = userZone();
  return (
    <div className={css.presets} role="group" aria-label={t('Times to choose from')}>
      {schedulePresets(now, zone).map((p, i) => (
        <button
          key={p.label}
          type="button"
          className={css.preset}
          {...(i === 0 && { 'data-autofocus': true })}
          onClick={() => onPick(p.at)}
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
  );
}

function CustomTime({ now, onPick }: { now: Date; onPick: (until: Date) => void }) {
  const zone = userZone();
  const [at, setAt] = useState<Date | null>(null);
  const problem = at ? scheduleTimeError(at, now) : null;
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        if (at && !problem) onPick(at);
      }}
    >
      <TextInput
        type="datetime-local"
        label={t('Pick a time')}
        description={t('In your time zone, {zone}', { zone: zoneName(zone) })}
        value={at ? toLocalInput(at, zone) : ''}
        min={toLocalInput(now, zone)}
        error={problem ?? undefined}
        onChange={(e) => setAt(zonedInstant(e.currentTarget.value, zone))}
      />
      {at && (
        <Button type="submit" fullWidth mt="sm" disabled={Boolean(problem)}>
          {problem ? t('Snooze') : t('Snooze until {when}', { when: formatWhen(at) })}
        </Button>
      )}
    </form>
  );
}
