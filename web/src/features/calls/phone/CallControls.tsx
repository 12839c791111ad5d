import { useState } from 'react';
import { ActionIcon } from '@mantine/core';
import {
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { t } from '#ui';
import css from './CallPanel.module.css';
import { DeviceMenu } from './DeviceMenu.tsx';
import { Keypad } from '#ui/phone/Keypad.tsx';

/** Mute, hold, keypad and devices of a call. */
export function CallControls({
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
