import { useEffect } from 'react';
import { Menu } from '@mantine/core';
import { IconCheck, IconDialpad, IconPhone, IconPhoneOff, IconPhonePause } from '@tabler/icons-react';
import { calls } from '#contract';
import { canCall, Hidden, t, useCommands, useCompanyId, useLive, useStore, useUser } from '#ui';
import { CallPanel } from './CallPanel.tsx';
import { Dialler } from './Dialler.tsx';
import { ParkedCalls } from './ParkedCalls.tsx';
import { hearAnswered, hearPhoneNews, openDialler, phone, setStatus, startPhone, stopPhone } from './phone.ts';
import css from './PhoneDock.module.css';

const words = { active: 'Receiving calls', away: 'Not receiving calls', on_call: 'In a call', offline: 'Connecting …' } as const;

/** The in-app phone at the foot of the rail: whether calls come here, and the dial pad. */
export function PhoneDock() {
  const user = useUser();
  const status = useStore(phone, (s) => s.status);
  const place = useStore(phone, (s) => s.place);
  const refused = useStore(phone, (s) => s.media?.connection === 'refused');
  const setUp = canCall(user);
  const talking = useStore(phone, (s) => s.media?.lines.some((l) => l.state === 'answered') ?? false);
  const shown = talking ? 'on_call' : status === 'on_call' ? 'active' : (status ?? 'offline');
  const text = !setUp ? t('Calling is off') : place === 'elsewhere' ? t('Phone is in another tab') : refused ? t('Phone is not connected') : t(words[shown]);
  return (
    <div className={css.dock}>
      <Menu width={248} position="top-start">
        <Menu.Target>
          <button type="button" className={css.status} data-status={setUp ? shown : 'away'}>
            {shown === 'away' || !setUp ? <IconPhoneOff size={18} stroke={1.75} aria-hidden /> : shown === 'on_call' ? <IconPhonePause size={18} stroke={1.75} aria-hidden /> : <IconPhone size={18} stroke={1.75} aria-hidden />}
            <Hidden>{t('In-app phone')}{': '}</Hidden><span>{text}</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Incoming calls')}</Menu.Label>
          <Menu.Item rightSection={setUp && shown !== 'away' && shown !== 'offline' ? <IconCheck size={14} aria-label={t('Chosen')} /> : null} onClick={() => void setStatus('active')}>{t('Active: calls ring here')}</Menu.Item>
          <Menu.Item rightSection={shown === 'away' ? <IconCheck size={14} aria-label={t('Chosen')} /> : null} onClick={() => void setStatus('away')}>{t('Away: calls do not ring here')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {setUp && (
        <button type="button" className={css.dial} onClick={() => openDialler()} aria-label={t('Open the dial pad')}><IconDialpad size={18} stroke={1.75} aria-hidden /></button>
      )}
    </div>
  );
}

/** What stands on every screen: the connection, the panel of a call, the dial pad. Mounted once, beside the page. */
export function PhoneOverlay() {
  const user = useUser();
  const companyId = useCompanyId();
  const setUp = canCall(user);
  useEffect(() => { if (setUp && companyId) startPhone(companyId); }, [setUp, companyId]);
  useEffect(() => stopPhone, []);
  useLive(calls.inAppCalling, hearPhoneNews);
  useLive(calls.callAnswered, (said) => hearAnswered(said.callId));
  useCommands(setUp ? [
    { id: 'phone.dial', title: t('Call a number'), group: t('Phone'), run: () => openDialler(), icon: <IconDialpad size={16} /> },
    { id: 'phone.active', title: t('Receive calls here'), group: t('Phone'), run: () => void setStatus('active'), icon: <IconPhone size={16} /> },
    { id: 'phone.away', title: t('Do not receive calls'), group: t('Phone'), run: () => void setStatus('away'), icon: <IconPhoneOff size={16} /> },
  ] : []);
  if (!setUp) return null;
  return <><CallPanel /><ParkedCalls /><Dialler /></>;
}
export default PhoneDock;
