import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhone,
  IconPhoneOff,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import {
  formatPhoneNumber,
  navigate,
  PersonAvatar,
  formatKeys,
  t,
  useNow,
  useShortcuts,
  useStore,
} from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import { DeviceMenu } from './DeviceMenu.tsx';
import { Keypad } from './Keypad.tsx';
import { TransferControls, useLiveCall } from './TransferControls.tsx';
import { MonitoringPanel } from '../live/MonitoringPanel.tsx';
import {
  answerCall,
  declineCall,
  hangUp,
  setHold,
  setMuted,
  phone,
  pressKeys,
  type CallInfo,
} from './phone.ts';
import css from './CallPanel.module.css';

const none: readonly Line[] = [];
const formatClock = (seconds: number): string =>
  `${Math.max(0, Math.floor(seconds / 60))}:${String(Math.max(0, Math.floor(seconds)) % 60).padStart(2, '0')}`;

/** The calls of this phone, over whatever screen is open. */
export function CallPanel() {
  const lines = useStore(phone, (s) => s.media?.lines ?? none);
  const info = useStore(phone, (s) => s.info);
  const dialling = useStore(phone, (s) => s.dialling);
  if (!lines.length) return null;
  return (
    <div className={css.place}>
      {lines.map((line) =>
        line.state === 'ringing' &&
        !(
          info[line.leg]?.outbound ||
          info[line.leg]?.selfAnswered ||
          info[line.leg]?.monitoring ||
          dialling
        ) ? (
          <IncomingCall key={line.leg} line={line} info={info[line.leg]} />
        ) : info[line.leg]?.monitoring ? (
          <MonitoringPanel key={line.leg} line={line} info={info[line.leg]!} />
        ) : (
          <ActiveCall key={line.leg} line={line} info={info[line.leg]} />
        ),
      )}
    </div>
  );
}

const partyNumber = (line: Line, info: CallInfo | undefined): string =>
  (info ? (info.outbound ? info.to : info.from) : line.from) ?? '';
const numberOf = (party: string): string =>
  !party || party === 'anonymous' ? t('Withheld number') : formatPhoneNumber(party);
const nameOf = (line: Line, info: CallInfo | undefined): string =>
  info?.contact?.name ||
  (info?.outbound ? null : line.callerName) ||
  numberOf(partyNumber(line, info));

function PartyHeader({
  line,
  info,
  what,
}: {
  line: Line;
  info: CallInfo | undefined;
  what: string;
}) {
  const party = partyNumber(line, info);
  const number = numberOf(party);
  const name = info?.contact?.name || (info?.outbound ? null : line.callerName) || null;
  return (
    <div className={css.who}>
      <PersonAvatar name={name} size={40} />
      <div className={css.names}>
        <div className={css.what}>{what}</div>
        <div className={css.name}>{name && name !== party ? name : number}</div>
        {name && name !== party && <div className={css.quiet}>{number}</div>}
        {info?.number && (
          <div className={css.quiet}>
            {t(info.outbound ? 'from {number}' : 'to {number}', {
              number: [info.number.label, formatPhoneNumber(info.number.number)]
                .filter(Boolean)
                .join(' · '),
            })}
          </div>
        )}
      </div>
    </div>
  );
}

function IncomingCall({ line, info }: { line: Line; info: CallInfo | undefined }) {
  const take = (): void => void answerCall(line.leg);
  const refuse = (): void => void declineCall(line.leg);
  useShortcuts([
    { keys: 'mod+shift+l', label: t('Answer call'), group: t('Phone'), run: take },
    { keys: 'mod+shift+x', label: t('Decline call'), group: t('Phone'), run: refuse },
  ]);
  return (
    <section
      className={css.panel}
      data-ringing
      role="alertdialog"
      aria-label={t('Incoming call')}
      aria-live="assertive"
    >
      <PartyHeader line={line} info={info} what={t('Incoming call')} />
      <div className={css.choice}>
        <Button color="red" leftSection={<IconPhoneOff size={16} aria-hidden />} onClick={refuse}>
          {t('Decline')}
        </Button>
        <Button leftSection={<IconPhone size={16} aria-hidden />} onClick={take}>
          {t('Answer')}
        </Button>
      </div>
      <div className={css.hint}>
        {t('{answer} to answer, {decline} to decline', {
          answer: formatKeys('mod+shift+l').join(' '),
          decline: formatKeys('mod+shift+x').join(' '),
        })}
      </div>
    </section>
  );
}

function ActiveCall({ line, info }: { line: Line; info: CallInfo | undefined }) {
  const muted = useStore(phone, (s) => s.media?.muted ?? false);
  const synthetic = useStore(phone, (s) =>
    s.media?.microphone.kind === 'synthetic' ? s.media.microphone.because : null,
  );
  const [keypad, setKeypad] = useState(false);
  const [small, setSmall] = useState(false);
  const now = useNow(1000);
  const passing = useLiveCall(info?.callId, line.state === 'answered');
  const held = info?.held ?? false;
  // The sound is here a moment before the server knows who answered; until then it would refuse what one asks of the call.
  const isKnown = Boolean(info?.connectedAt);
  const connected = info?.connectedAt ?? (info?.outbound === false ? line.answeredAt : null);
  const what =
    passing?.state === 'consulting'
      ? t('Caller on hold')
      : held
        ? t('On hold')
        : connected
          ? formatClock((Number(now) - connected) / 1000)
          : line.state === 'ringing'
            ? t('Connecting…')
            : t('Ringing…');
  useShortcuts([
    {
      keys: 'mod+shift+x',
      label: t('Hang up'),
      group: t('Phone'),
      run: () => void hangUp(line.leg),
    },
    {
      keys: 'mod+shift+u',
      label: t('Mute or unmute'),
      group: t('Phone'),
      run: () => setMuted(!muted),
    },
    {
      keys: 'mod+shift+h',
      label: t('Hold or resume'),
      group: t('Phone'),
      run: () => void (isKnown && setHold(line.leg, !held)),
    },
  ]);
  if (small) {
    return (
      <section className={css.small} aria-label={t('Call')}>
        <span className={css.name}>{nameOf(line, info)}</span>
        <span className={css.timer} role="timer" data-held={held || undefined}>
          {what}
        </span>
        <ActionIcon
          size={32}
          variant={muted ? 'filled' : 'default'}
          aria-label={muted ? t('Unmute') : t('Mute')}
          aria-pressed={muted}
          onClick={() => setMuted(!muted)}
        >
          {muted ? <IconMicrophoneOff size={18} /> : <IconMicrophone size={18} />}
        </ActionIcon>
        <ActionIcon
          size={32}
          variant="filled"
          color="red"
          aria-label={t('Hang up')}
          onClick={() => void hangUp(line.leg)}
        >
          <IconPhoneOff size={18} />
        </ActionIcon>
        <ActionIcon
          size={32}
          variant="subtle"
          aria-label={t('Expand call panel')}
          onClick={() => setSmall(false)}
        >
          <IconChevronDown size={18} />
        </ActionIcon>
      </section>
    );
  }
  return (
    <section className={css.panel} aria-label={t('Call')}>
      <div className={css.top}>
        <PartyHeader line={line} info={info} what={t('On a call')} />
        <ActionIcon
          size={28}
          variant="subtle"
          aria-label={t('Minimize call panel')}
          onClick={() => setSmall(true)}
        >
          <IconChevronUp size={18} />
        </ActionIcon>
      </div>
      <div className={css.timer} role="timer" data-held={held || undefined}>
        {what}
      </div>
      {synthetic && (
        <div className={css.quiet}>
          {synthetic === 'refused'
            ? t('Microphone access is blocked. A synthetic voice speaks for you.')
            : t('No microphone found. A synthetic voice speaks for you.')}
        </div>
      )}
      <div className={css.controls}>
        <CallButton
          label={muted ? t('Unmute') : t('Mute')}
          pressed={muted}
          onClick={() => setMuted(!muted)}
        >
          {muted ? <IconMicrophoneOff size={20} /> : <IconMicrophone size={20} />}
        </CallButton>
        <CallButton
          label={held ? t('Resume') : t('Hold')}
          pressed={held}
          disabled={!isKnown || passing?.state === 'consulting'}
          onClick={() => void setHold(line.leg, !held)}
        >
          {held ? <IconPlayerPlay size={20} /> : <IconPlayerPause size={20} />}
        </CallButton>
        <CallButton
          label={t('Keypad')}
          pressed={keypad}
          disabled={!isKnown}
          onClick={() => setKeypad(!keypad)}
        >
          <IconDialpad size={20} />
        </CallButton>
        <DeviceMenu />
      </div>
      {keypad && isKnown && <Keypad onKey={(key) => void pressKeys(line.leg, key)} />}
      {passing && isKnown && <TransferControls call={passing} />}
      <div className={css.end}>
        {info && (
          <Button
            variant="default"
            onClick={() => {
              setSmall(true);
              navigate(`/calls/${info.callId}`);
            }}
          >
            {t('Open record')}
          </Button>
        )}
        <Button
          color="red"
          leftSection={<IconPhoneOff size={16} aria-hidden />}
          onClick={() => void hangUp(line.leg)}
        >
          {t('Hang up')}
        </Button>
      </div>
    </section>
  );
}

function CallButton({
  label,
  pressed,
  disabled = false,
  onClick,
  children,
}: {
  label: string;
  pressed: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <div className={css.control}>
      <ActionIcon
        size={44}
        variant={pressed ? 'filled' : 'default'}
        aria-label={label}
        aria-pressed={pressed}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
      <span aria-hidden>{label}</span>
    </div>
  );
}
