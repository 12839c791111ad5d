import { useState } from 'react';
import { ActionIcon } from '@mantine/core';
import {
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhone,
  IconPhoneOff,
  IconVolume,
} from '@tabler/icons-react';
import { formatDuration, formatPhoneNumber, t, useNow } from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import { Keypad } from '../calls/index.ts';
import { CaptionList } from './CaptionList.tsx';
import { activityLabel } from './labels.ts';
import type { HandsetPhone } from './phones.ts';
import type { HandsetLine } from './use-handset-line.ts';
import css from './HandsetCall.module.css';

/** A call that rings or is connected. `now` is the line of `line` that it uses. */
export function InCall({
  phone,
  line,
  now,
  nameOf,
}: {
  phone: HandsetPhone;
  line: HandsetLine;
  now: Line;
  nameOf: (number: string) => string;
}) {
  const [keys, setKeys] = useState(false);
  const [pressed, setPressed] = useState('');
  const [say, setSay] = useState('');
  const time = useNow(1000);
  const other = now.direction === 'in' ? now.from : now.to;
  const rings = now.state === 'ringing';
  const duration = formatDuration((time - (now.answeredAt ?? time)) / 1000);
  const talking = now.held ? t('On hold') : (activityLabel(line.doing) ?? duration);
  const state = rings ? t('Calling you') : talking;
  const isTalking = now.state === 'answered';
  const hasSpoken = line.heard.some((h) => h.kind === 'bridge' || h.kind === 'beep');
  const willSpeak = !rings && now.direction === 'out' && phone.says.trim() !== '' && !hasSpoken;
  return (
    <div className={css.call}>
      <div className={css.top}>
        <p className={css.big}>{now.callerName ?? nameOf(other)}</p>
        <p className={css.quiet}>{formatPhoneNumber(other)}</p>
        <p className={css.state} role="status" data-testid="handset-state" data-state={now.state}>
          {state}
        </p>
        {line.problem && (
          <p className={css.problem} role="alert">
            {line.problem}
          </p>
        )}
      </div>
      {rings && <div className={css.fill} />}
      {!rings && keys && <CallKeypad line={line} pressed={pressed} onPressed={setPressed} />}
      {!rings && !keys && <CaptionList heard={line.heard} isRinging={line.doing === 'ringing'} />}
      {isTalking && !keys && <SpeakForm line={line} say={say} onSay={setSay} />}
      {rings ? (
        <RingingButtons line={line} />
      ) : (
        <TalkingButtons line={line} keypad={keys} onKeypad={() => setKeys(!keys)} />
      )}
      {willSpeak && <p className={css.hint}>{t('Will say: “{words}”', { words: phone.says })}</p>}
    </div>
  );
}

/** The keypad, with the keys pressed so far. */
function CallKeypad({
  line,
  pressed,
  onPressed,
}: {
  line: HandsetLine;
  pressed: string;
  onPressed: React.Dispatch<React.SetStateAction<string>>;
}) {
  return (
    <div className={css.keys}>
      <p className={css.pressed} aria-live="polite">
        {pressed || ' '}
      </p>
      <Keypad
        onKey={(key) => {
          onPressed((p) => (p + key).slice(-18));
          void line.press(key);
        }}
      />
    </div>
  );
}

/** Speaks a typed text into the call. */
function SpeakForm({
  line,
  say,
  onSay,
}: {
  line: HandsetLine;
  say: string;
  onSay: (text: string) => void;
}) {
  return (
    <form
      className={css.say}
      onSubmit={(e) => {
        e.preventDefault();
        if (say.trim()) {
          void line.speak(say.trim());
          onSay('');
        }
      }}
      noValidate
    >
      <input
        className={css.words}
        aria-label={t('Say now')}
        placeholder={t('Say something now')}
        value={say}
        maxLength={500}
        onChange={(e) => onSay(e.currentTarget.value)}
      />
      <ActionIcon
        type="submit"
        variant="light"
        color="accent"
        radius="xl"
        size={32}
        aria-label={t('Speak')}
        disabled={!say.trim()}
      >
        <IconVolume size={17} />
      </ActionIcon>
    </form>
  );
}

const RingingButtons = ({ line }: { line: HandsetLine }) => (
  <div className={css.acts}>
    <RoundButton label={t('Decline')} tone="red" onClick={() => void line.decline()}>
      <IconPhoneOff size={22} />
    </RoundButton>
    <RoundButton label={t('Answer')} tone="green" onClick={() => void line.answer()}>
      <IconPhone size={22} />
    </RoundButton>
  </div>
);

function TalkingButtons({
  line,
  keypad,
  onKeypad,
}: {
  line: HandsetLine;
  keypad: boolean;
  onKeypad: () => void;
}) {
  const isMuted = line.snapshot?.muted ?? false;
  return (
    <div className={css.acts}>
      <RoundButton
        label={isMuted ? t('Unmute') : t('Mute')}
        pressed={isMuted}
        onClick={() => line.mute(!isMuted)}
      >
        {isMuted ? <IconMicrophoneOff size={20} /> : <IconMicrophone size={20} />}
      </RoundButton>
      <RoundButton label={t('Hang up')} tone="red" onClick={() => void line.hangUp()}>
        <IconPhoneOff size={22} />
      </RoundButton>
      <RoundButton label={t('Keypad')} pressed={keypad} onClick={onKeypad}>
        <IconDialpad size={20} />
      </RoundButton>
    </div>
  );
}

const RoundButton = ({
  label,
  tone,
  pressed,
  onClick,
  children,
}: {
  label: string;
  tone?: 'red' | 'green';
  pressed?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) => (
  <span className={css.round}>
    <ActionIcon
      size={54}
      radius={27}
      variant={tone ? 'filled' : pressed ? 'light' : 'default'}
      color={tone ? `${tone}.7` : 'accent'}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
    <span aria-hidden>{label}</span>
  </span>
);
