import { useEffect, useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import {
  IconCheck,
  IconDialpad,
  IconMoon,
  IconPhone,
  IconPhoneOff,
  IconPhonePause,
} from '@tabler/icons-react';
import { calls } from '#contract';
import {
  canCall,
  Hidden,
  navigate,
  t,
  useCommands,
  useCompanyId,
  useLiveEvent,
  useStore,
  useUser,
} from '#ui';
import { CallPanel } from './CallPanel.tsx';
import { Dialler } from './Dialler.tsx';
import { ParkedCalls } from '../live/ParkedCalls.tsx';
import { doNotDisturbChoices, useAvailability, useDoNotDisturb } from './do-not-disturb.ts';
import { pauseText } from './pause-text.ts';
import { openDialler, phone, setStatus } from './phone.ts';
import { startPhone, stopPhone, takeOverPhone } from './phone-connection.ts';
import { onCallAnswered, onPhoneEvent } from './phone-events.ts';
import css from './PhoneDock.module.css';

const statusLabels = {
  active: 'Receiving calls',
  away: 'Not receiving calls',
  on_call: 'On a call',
  offline: 'Connecting…',
  cut: 'Offline – calls won’t ring here',
  elsewhere: 'Phone is open in another tab',
  refused: 'Phone isn’t connected',
  off: 'Calling is off',
  paused: 'Not taking calls',
} as const;
type PhoneStatus = keyof typeof statusLabels;
const statusIcons: Record<PhoneStatus, typeof IconPhone> = {
  on_call: IconPhonePause,
  away: IconPhoneOff,
  paused: IconMoon,
  off: IconPhoneOff,
  cut: IconPhoneOff,
  refused: IconPhoneOff,
  active: IconPhone,
  offline: IconPhone,
  elsewhere: IconPhone,
};
/** Milliseconds. Reconnecting usually takes less; a shorter gap is not shown. */
const reconnectGraceMs = 3000;

/**
 * The phone's state in this tab. Calls ring here only while the media connection is ready and the
 * server receives the heartbeat.
 */
function usePhoneStatus(isPaused: boolean): PhoneStatus {
  const user = useUser();
  const { status, tabState: place, media, registered: heard } = useStore(phone, (s) => s);
  const { online } = useNetwork();
  const joined = media?.connection === 'ready' && heard && online;
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (joined) return setLate(false);
    const timer = setTimeout(() => setLate(true), reconnectGraceMs);
    return () => clearTimeout(timer);
  }, [joined]);
  if (!canCall(user)) return 'off';
  if (place === 'elsewhere') return 'elsewhere';
  if (media?.connection === 'refused') return 'refused';
  if (media?.lines.some((l) => l.state === 'answered')) return 'on_call';
  if (status === 'away') return 'away';
  if (!joined && place === 'here') return late || !online ? 'cut' : 'offline';
  if (isPaused) return 'paused';
  return status === 'on_call' ? 'active' : (status ?? 'offline');
}

/** Shows the phone's state and sets whether calls ring here. */
function StatusMenu({
  shown,
  availability,
}: {
  shown: PhoneStatus;
  availability: calls.Availability | undefined;
}) {
  const status = useStore(phone, (s) => s.status);
  const Icon = statusIcons[shown];
  const pause = shown === 'paused' ? availability?.pause : null;
  const isActive =
    shown !== 'off' &&
    !availability?.do_not_disturb &&
    (status === 'active' || status === 'on_call');
  return (
    <Menu width={248} position="top-start">
      <Menu.Target>
        <button type="button" className={css.status} data-status={shown}>
          <Icon size={18} stroke={1.75} aria-hidden />
          <Hidden>
            {t('In-app phone')}
            {': '}
          </Hidden>
          <span>{pause ? pauseText(pause) : t(statusLabels[shown])}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Incoming calls')}</Menu.Label>
        <Menu.Item
          rightSection={isActive ? <IconCheck size={14} aria-label={t('Selected')} /> : null}
          onClick={() => void setStatus('active')}
        >
          {t('Active: calls ring here')}
        </Menu.Item>
        <Menu.Item
          rightSection={
            status === 'away' ? <IconCheck size={14} aria-label={t('Selected')} /> : null
          }
          onClick={() => void setStatus('away')}
        >
          {t('Away: calls don’t ring here')}
        </Menu.Item>
        {shown !== 'off' && <DoNotDisturbItems availability={availability} />}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Turns do not disturb on and off, and leads to one's hours. */
function DoNotDisturbItems({ availability }: { availability: calls.Availability | undefined }) {
  const { turnOn, turnOff } = useDoNotDisturb();
  const isOn = availability?.do_not_disturb === true;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('Do not disturb')}</Menu.Label>
      {isOn && <Menu.Item onClick={() => void turnOff()}>{t('Turn off do not disturb')}</Menu.Item>}
      {!isOn &&
        doNotDisturbChoices().map(({ key, label, until }) => (
          <Menu.Item key={key} onClick={() => void turnOn(until())}>
            {label}
          </Menu.Item>
        ))}
      <Menu.Divider />
      <Menu.Item onClick={() => navigate('/settings/availability')}>{t('Working hours')}</Menu.Item>
    </>
  );
}

/** The in-app phone at the foot of the rail: whether calls ring here, and the dial pad. */
export function PhoneDock() {
  const availability = useAvailability(canCall(useUser()));
  const shown = usePhoneStatus(Boolean(availability?.pause));
  const setUp = shown !== 'off';
  return (
    <div className={css.dock}>
      <StatusMenu shown={shown} availability={availability} />
      {setUp && (
        <button
          type="button"
          className={css.dial}
          onClick={() => openDialler()}
          aria-label={t('Open dial pad')}
        >
          <IconDialpad size={18} stroke={1.75} aria-hidden />
        </button>
      )}
      {shown === 'elsewhere' && (
        <Button
          className={css.take}
          size="compact-xs"
          variant="default"
          onClick={() => void takeOverPhone()}
        >
          {t('Use here')}
        </Button>
      )}
    </div>
  );
}

/**
 * Phone parts that every screen shows: call panel, parked calls and dial pad. Keeps the connection;
 * mounted once.
 */
export function PhoneOverlay() {
  const user = useUser();
  const companyId = useCompanyId();
  const setUp = canCall(user);
  useEffect(() => {
    if (setUp && companyId) startPhone(companyId);
  }, [setUp, companyId]);
  useEffect(() => stopPhone, []);
  useLiveEvent(calls.inAppCalling, onPhoneEvent);
  useLiveEvent(calls.callAnswered, (event) => onCallAnswered(event.callId));
  useCommands(
    setUp
      ? [
          {
            id: 'phone.dial',
            title: t('Call a number'),
            group: t('Phone'),
            run: () => openDialler(),
            icon: <IconDialpad size={16} />,
          },
          {
            id: 'phone.active',
            title: t('Receive calls here'),
            group: t('Phone'),
            run: () => void setStatus('active'),
            icon: <IconPhone size={16} />,
          },
          {
            id: 'phone.away',
            title: t('Stop receiving calls'),
            group: t('Phone'),
            run: () => void setStatus('away'),
            icon: <IconPhoneOff size={16} />,
          },
        ]
      : [],
  );
  if (!setUp) return null;
  return (
    <>
      <CallPanel />
      <ParkedCalls />
      <Dialler />
    </>
  );
}
export default PhoneDock;
