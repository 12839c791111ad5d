import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import type { LiveCall } from '#contract/calls/live/schemas';
import { navigate, t, useNow, useShortcuts, useStore } from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import css from './CallPanel.module.css';
import { DeviceMenu } from './DeviceMenu.tsx';
import { Keypad } from './Keypad.tsx';
import { PartyHeader, partyName } from './PartyHeader.tsx';
import { hangUp, phone, pressKeys, setHold, setMuted } from './phone.ts';
import type { CallInfo } from './phone-state.ts';
import { TransferControls, useLiveCall } from './TransferControls.tsx';

/** `m:ss`; never negative. */
const formatClock = (seconds: number): string =>
  `${Math.max(0, Math.floor(seconds / 60))}:${String(Math.max(0, Math.floor(seconds)) % 60).padStart(2, '0')}`;

interface CallProps {
  line: Line;
  info: CallInfo | undefined;
}

/** What the call is doing, or how long it has been connected. */
function useCallStatus({ line, info }: CallProps, live: LiveCall | null): string {
  const now = useNow(1000);
  if (live?.state === 'consulting') return t('Caller on hold');
  if (info?.held) return t('On hold');
  const connectedAt = info?.connectedAt ?? (info?.outbound === false ? line.answeredAt : null);
  if (connectedAt) return formatClock((Number(now) - connectedAt) / 1000);
  return line.state === 'ringing' ? t('Connecting…') : t('Ringing…');
}

/** A call of this phone: mute, hold, keypad, transfer, hang up. It can be minimized to one line. */
export function ActiveCall({ line, info }: CallProps) {
  const isMuted = useStore(phone, (s) => s.media?.muted ?? false);
  const [isSmall, setSmall] = useState(false);
  const live = useLiveCall(info?.callId, line.state === 'answered');
  const status = useCallStatus({ line, info }, live);
  const isHeld = info?.held ?? false;
  // Audio starts a moment before the server knows who answered; until then it rejects what is asked of the call.
  const isKnown = Boolean(info?.connectedAt);
  const end = (): void => void hangUp(line.leg);
  const toggleMute = (): void => setMuted(!isMuted);
  const toggleHold = (): void => void (isKnown && setHold(line.leg, !isHeld));
  useShortcuts([
    { keys: 'mod+shift+x', label: t('Hang up'), group: t('Phone'), run: end },
    { keys: 'mod+shift+u', label: t('Mute or unmute'), group: t('Phone'), run: toggleMute },
    { keys: 'mod+shift+h', label: t('Hold or resume'), group: t('Phone'), run: toggleHold },
  ]);
  const timer = (
    <div className={css.timer} role="timer" data-held={isHeld || undefined}>
      {status}
    </div>
  );
  if (isSmall)
    return (
      <SmallCall
        name={partyName(line, info)}
        timer={timer}
        isMuted={isMuted}
        onMute={toggleMute}
        onHangUp={end}
        onExpand={() => setSmall(false)}
      />
    );
  return (
    <section className={css.panel} aria-label={t('Call')}>
      <div className={css.top}>
        <PartyHeader line={line} info={info} title={t('On a call')} />
        <ActionIcon
          size={28}
          variant="subtle"
          aria-label={t('Minimize call panel')}
          onClick={() => setSmall(true)}
        >
          <IconChevronUp size={18} />
        </ActionIcon>
      </div>
      {timer}
      <SyntheticVoiceNotice />
      <CallControls
        isMuted={isMuted}
        isHeld={isHeld}
        isKnown={isKnown}
        canHold={isKnown && live?.state !== 'consulting'}
        onMute={toggleMute}
        onHold={toggleHold}
        onKey={(key) => void pressKeys(line.leg, key)}
      />
      {live && isKnown && <TransferControls call={live} />}
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
        <Button color="red" leftSection={<IconPhoneOff size={16} aria-hidden />} onClick={end}>
          {t('Hang up')}
        </Button>
      </div>
    </section>
  );
}

function SmallCall({
  name,
  timer,
  isMuted,
  onMute,
  onHangUp,
  onExpand,
}: {
  name: string;
  timer: React.ReactNode;
  isMuted: boolean;
  onMute: () => void;
  onHangUp: () => void;
  onExpand: () => void;
}) {
  return (
    <section className={css.small} aria-label={t('Call')}>
      <span className={css.name}>{name}</span>
      {timer}
      <ActionIcon
        size={32}
        variant={isMuted ? 'filled' : 'default'}
        aria-label={isMuted ? t('Unmute') : t('Mute')}
        aria-pressed={isMuted}
        onClick={onMute}
      >
        {isMuted ? <IconMicrophoneOff size={18} /> : <IconMicrophone size={18} />}
      </ActionIcon>
      <ActionIcon
        size={32}
        variant="filled"
        color="red"
        aria-label={t('Hang up')}
        onClick={onHangUp}
      >
        <IconPhoneOff size={18} />
      </ActionIcon>
      <ActionIcon size={32} variant="subtle" aria-label={t('Expand call panel')} onClick={onExpand}>
        <IconChevronDown size={18} />
      </ActionIcon>
    </section>
  );
}

/** Without a usable microphone a synthetic voice speaks, and says why. */
function SyntheticVoiceNotice() {
  const reason = useStore(phone, (s) =>
    s.media?.microphone.kind === 'synthetic' ? s.media.microphone.because : null,
  );
  if (!reason) return null;
  return (
    <div className={css.quiet}>
      {reason === 'refused'
        ? t('Microphone access is blocked. A synthetic voice speaks for you.')
        : t('No microphone found. A synthetic voice speaks for you.')}
    </div>
  );
}

function CallControls({
  isMuted,
  isHeld,
  isKnown,
  canHold,
  onMute,
  onHold,
  onKey,
}: {
  isMuted: boolean;
  isHeld: boolean;
  isKnown: boolean;
  canHold: boolean;
  onMute: () => void;
  onHold: () => void;
  onKey: (key: string) => void;
}) {
  const [hasKeypad, setKeypad] = useState(false);
  return (
    <>
      <div className={css.controls}>
        <CallButton label={isMuted ? t('Unmute') : t('Mute')} pressed={isMuted} onClick={onMute}>
          {isMuted ? <IconMicrophoneOff size={20} /> : <IconMicrophone size={20} />}
        </CallButton>
        <CallButton
          label={isHeld ? t('Resume') : t('Hold')}
          pressed={isHeld}
          disabled={!canHold}
          onClick={onHold}
        >
          {isHeld ? <IconPlayerPlay size={20} /> : <IconPlayerPause size={20} />}
        </CallButton>
        <CallButton
          label={t('Keypad')}
          pressed={hasKeypad}
          disabled={!isKnown}
          onClick={() => setKeypad(!hasKeypad)}
        >
          <IconDialpad size={20} />
        </CallButton>
        <DeviceMenu />
      </div>
      {hasKeypad && isKnown && <Keypad onKey={onKey} />}
    </>
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
