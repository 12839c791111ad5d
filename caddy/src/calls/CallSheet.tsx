import { useEffect, useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import {
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhone,
  IconPhoneOff,
} from '@tabler/icons-react';
import { formatDuration, formatPhoneNumber, t, useNow, useStore } from '#ui';
import { Keypad } from '#ui/phone/Keypad.tsx';
import type { Line } from '#ui/phone/media-client.ts';
import { useNumbers } from '../use-numbers.ts';
import { answer, decline, hangUp, mute, phone, pressKey, startPhone } from './phone.ts';
import css from './CallSheet.module.css';

/** Connects the phone, and shows the call that rings or goes on over every screen. */
export default function CallSheet() {
  useEffect(startPhone, []);
  const lines = useStore(phone, (s) => s.media?.lines) ?? [];
  const called = useStore(phone, (s) => s.called);
  const line = lines.find(({ state }) => state === 'answered') ?? lines[0];
  if (!line) return null;
  const to = called[line.leg];
  return to === undefined && line.state === 'ringing' ? (
    <Incoming line={line} />
  ) : (
    <Running line={line} called={to ?? null} />
  );
}

const callerOf = ({ callerName, from }: Line): string =>
  callerName || (from.startsWith('+') ? formatPhoneNumber(from) : t('Withheld number'));

function Incoming({ line }: { line: Line }) {
  const { numbers } = useNumbers();
  const ours = numbers?.find(({ number }) => number === line.to);
  return (
    <section className={css.sheet} role="alertdialog" aria-label={t('Incoming call')}>
      <Text c="dimmed">
        {t('Incoming call to {number}', {
          number: ours?.label || formatPhoneNumber(line.to),
        })}
      </Text>
      <p className={css.who}>{callerOf(line)}</p>
      <Group justify="center" gap="xl">
        <Button
          size="lg"
          radius="xl"
          color="red"
          leftSection={<IconPhoneOff size={20} />}
          onClick={() => decline(line.leg)}
        >
          {t('Decline')}
        </Button>
        <Button
          size="lg"
          radius="xl"
          color="green"
          autoFocus
          leftSection={<IconPhone size={20} />}
          onClick={() => answer(line.leg)}
        >
          {t('Answer')}
        </Button>
      </Group>
    </section>
  );
}

function Running({ line, called }: { line: Line; called: string | null }) {
  const muted = useStore(phone, (s) => s.media?.muted ?? false);
  const [hasKeys, setHasKeys] = useState(false);
  const seconds = Math.max(0, Math.floor((useNow(1000) - (line.answeredAt ?? Date.now())) / 1000));
  return (
    <section className={css.sheet} role="dialog" aria-label={t('Call')}>
      <Text c="dimmed" className="tabular">
        {line.state === 'answered' ? formatDuration(seconds) : t('Calling…')}
      </Text>
      <p className={css.who}>{called === null ? callerOf(line) : formatPhoneNumber(called)}</p>
      {hasKeys && <Keypad onKey={(key) => pressKey(line.leg, key)} />}
      <Group justify="center" gap="sm" mt="sm">
        <Button
          variant="default"
          radius="xl"
          aria-pressed={muted}
          leftSection={muted ? <IconMicrophoneOff size={18} /> : <IconMicrophone size={18} />}
          onClick={() => mute(!muted)}
        >
          {muted ? t('Unmute') : t('Mute')}
        </Button>
        <Button
          variant="default"
          radius="xl"
          aria-expanded={hasKeys}
          leftSection={<IconDialpad size={18} />}
          onClick={() => setHasKeys(!hasKeys)}
        >
          {t('Keypad')}
        </Button>
        <Button
          radius="xl"
          color="red"
          leftSection={<IconPhoneOff size={18} />}
          onClick={() => hangUp(line.leg)}
        >
          {t('Hang up')}
        </Button>
      </Group>
    </section>
  );
}
