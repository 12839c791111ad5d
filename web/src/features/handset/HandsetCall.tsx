import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Switch, Textarea } from '@mantine/core';
import {
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhone,
  IconPhoneOff,
  IconVolume,
} from '@tabler/icons-react';
import { formatDuration, formatPhoneNumber, t, useNow } from '#ui';
import { Keypad } from '../calls/index.ts';
import { updatePhone, type HandsetPhone } from './phones.ts';
import type { Caption, CompanyNumber } from './sandbox.ts';
import type { HandsetLine } from './use-handset-line.ts';
import { activityLabel, captionText, endReasonLabel } from './labels.ts';
import css from './HandsetCall.module.css';

/** Places and takes calls: the call's state, and what this phone has heard so far. */
export function HandsetCall({
  phone,
  line,
  known,
}: {
  phone: HandsetPhone;
  line: HandsetLine;
  known: readonly CompanyNumber[];
}) {
  const now = line.line;
  const nameOf = (number: string): string => {
    const k = known.find((each) => each.number === number);
    return k ? k.label || k.company : formatPhoneNumber(number);
  };
  if (now) return <InCall phone={phone} line={line} nameOf={nameOf} />;
  const { ended } = line;
  const target = known.find((k) => k.number === phone.with);
  return (
    <div className={css.idle}>
      <div className={css.top}>
        {ended ? (
          <>
            <p className={css.big}>{t('Call ended')}</p>
            <p className={css.quiet} role="status">
              {endReasonLabel(ended.because, ended.line)}
              {ended.line.answeredAt
                ? ` · ${formatDuration((Date.now() - ended.line.answeredAt) / 1000)}`
                : ''}
            </p>
          </>
        ) : (
          <>
            <p className={css.big}>
              {phone.with ? nameOf(phone.with) : t('Who do you want to call?')}
            </p>
            <p className={css.quiet}>
              {target
                ? `${target.company} · ${formatPhoneNumber(target.number)}`
                : phone.with
                  ? formatPhoneNumber(phone.with)
                  : t('Choose a company number above.')}
            </p>
          </>
        )}
        {line.problem && (
          <p className={css.problem} role="alert">
            {line.problem}
          </p>
        )}
      </div>
      {ended ? (
        <CaptionList heard={ended.captions} />
      ) : (
        <div className={css.set}>
          <Textarea
            label={t('Say this when connected')}
            description={t(
              'A synthetic voice says it when someone answers, or after the beep. Leave empty to talk yourself.',
            )}
            minRows={2}
            maxRows={4}
            maxLength={500}
            value={phone.says}
            onChange={(e) => updatePhone(phone.number, { says: e.currentTarget.value })}
          />
          <Microphone line={line} />
        </div>
      )}
      <Button
        fullWidth
        size="md"
        radius="xl"
        color="green.7"
        leftSection={<IconPhone size={18} aria-hidden />}
        disabled={!phone.with || line.snapshot?.connection !== 'ready'}
        onClick={() => void line.dial(phone.with)}
      >
        {ended ? t('Call again') : t('Call')}
      </Button>
    </div>
  );
}

function InCall({
  phone,
  line,
  nameOf,
}: {
  phone: HandsetPhone;
  line: HandsetLine;
  nameOf: (number: string) => string;
}) {
  const now = line.line!;
  const [keys, setKeys] = useState(false);
  const [pressed, setPressed] = useState('');
  const [say, setSay] = useState('');
  const time = useNow(1000);
  const other = now.direction === 'in' ? now.from : now.to;
  const rings = now.state === 'ringing';
  const state = rings
    ? t('Calling you')
    : now.held
      ? t('On hold')
      : (activityLabel(line.doing) ?? formatDuration((time - (now.answeredAt ?? time)) / 1000));
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
      {rings ? (
        <div className={css.fill} />
      ) : keys ? (
        <div className={css.keys}>
          <p className={css.pressed} aria-live="polite">
            {pressed || ' '}
          </p>
          <Keypad
            onKey={(key) => {
              setPressed((p) => (p + key).slice(-18));
              void line.press(key);
            }}
          />
        </div>
      ) : (
        <CaptionList heard={line.heard} />
      )}
      {!rings && now.state === 'answered' && !keys && (
        <form
          className={css.say}
          onSubmit={(e) => {
            e.preventDefault();
            if (say.trim()) {
              void line.speak(say.trim());
              setSay('');
            }
          }}
        >
          <input
            className={css.words}
            aria-label={t('Say now')}
            placeholder={t('Say something now')}
            value={say}
            maxLength={500}
            onChange={(e) => setSay(e.currentTarget.value)}
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
      )}
      <div className={css.acts}>
        {rings ? (
          <>
            <RoundButton label={t('Decline')} tone="red" onClick={() => void line.decline()}>
              <IconPhoneOff size={22} />
            </RoundButton>
            <RoundButton label={t('Answer')} tone="green" onClick={() => void line.answer()}>
              <IconPhone size={22} />
            </RoundButton>
          </>
        ) : (
          <>
            <RoundButton
              label={line.snapshot?.muted ? t('Unmute') : t('Mute')}
              pressed={line.snapshot?.muted ?? false}
              onClick={() => line.mute(!line.snapshot?.muted)}
            >
              {line.snapshot?.muted ? (
                <IconMicrophoneOff size={20} />
              ) : (
                <IconMicrophone size={20} />
              )}
            </RoundButton>
            <RoundButton label={t('Hang up')} tone="red" onClick={() => void line.hangUp()}>
              <IconPhoneOff size={22} />
            </RoundButton>
            <RoundButton label={t('Keypad')} pressed={keys} onClick={() => setKeys(!keys)}>
              <IconDialpad size={20} />
            </RoundButton>
          </>
        )}
      </div>
      {!rings &&
        phone.says.trim() &&
        line.heard.every((h) => h.kind !== 'bridge' && h.kind !== 'beep') &&
        now.direction === 'out' && (
          <p className={css.hint}>{t('Will say: “{words}”', { words: phone.says })}</p>
        )}
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

/** What this phone heard, newest last. */
function CaptionList({ heard }: { heard: readonly Caption[] }) {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [heard.length]);
  return (
    <ol ref={box} className={css.heard} aria-label={t('What this phone heard')} tabIndex={0}>
      {heard.slice(-30).map((h, i) => (
        <li key={`${h.at}${i}`} data-kind={h.kind}>
          {captionText(h)}
        </li>
      ))}
      {heard.length === 0 && <li className={css.silent}>{t('Nothing heard yet')}</li>}
    </ol>
  );
}

function Microphone({ line }: { line: HandsetLine }) {
  const mic = line.snapshot?.microphone;
  const synthetic = mic?.kind === 'synthetic';
  const why =
    synthetic && mic.because === 'none'
      ? t('No microphone found. A synthetic voice speaks instead.')
      : synthetic && mic.because === 'refused'
        ? t('Microphone access was blocked. A synthetic voice speaks instead.')
        : t('Your browser asks once. Without it, a synthetic voice speaks for you.');
  return (
    <Switch
      label={t('Use my microphone')}
      description={why}
      checked={!synthetic}
      onChange={(e) => line.useMicrophone(e.currentTarget.checked)}
    />
  );
}
