import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
} from '@tabler/icons-react';
import type { LiveCall } from '#contract/calls/live/schemas';
import { navigate, t, useNow, useShortcuts, useStore } from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import css from './CallPanel.module.css';
import { CallControls } from './CallControls.tsx';
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

function useCallShortcuts(end: () => void, toggleMute: () => void, toggleHold: () => void): void {
  useShortcuts([
    { keys: 'mod+shift+x', label: t('Hang up'), group: t('Phone'), run: end },
    { keys: 'mod+shift+u', label: t('Mute or unmute'), group: t('Phone'), run: toggleMute },
    { keys: 'mod+shift+h', label: t('Hold or resume'), group: t('Phone'), run: toggleHold },
  ]);
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
  useCallShortcuts(end, toggleMute, toggleHold);
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
      <CallEnd callId={info?.callId} onLeave={() => setSmall(true)} onHangUp={end} />
    </section>
  );
}

/** The link to the call's record, which minimizes the panel, and the button to hang up. */
function CallEnd({
  callId,
  onLeave,
  onHangUp,
}: {
  callId: number | undefined;
  onLeave: () => void;
  onHangUp: () => void;
}) {
  return (
    <div className={css.end}>
      {callId !== undefined && (
        <Button
          variant="default"
          onClick={() => {
            onLeave();
            navigate(`/calls/${callId}`);
          }}
        >
          {t('Open record')}
        </Button>
      )}
      <Button color="red" leftSection={<IconPhoneOff size={16} aria-hidden />} onClick={onHangUp}>
        {t('Hang up')}
      </Button>
    </div>
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

/** Why a synthetic voice speaks instead of a microphone; nothing while a microphone works. */
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
