import { useState } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconHeadphones } from '@tabler/icons-react';
import { t, useStore } from '#ui';
import { listDevices, phone, selectMicrophone, selectSpeaker } from './phone.ts';
import css from './CallPanel.module.css';

type Found = Awaited<ReturnType<typeof listDevices>>;

/** Chooses microphone and speaker, also during a call. */
export function DeviceMenu() {
  const [found, setFound] = useState<Found>({ microphones: [], speakers: [] });
  const [speaker, setSpeaker] = useState('');
  const microphone = useStore(phone, (s) => s.media?.microphone ?? null);
  const chosen = microphone?.kind === 'synthetic' ? 'synthetic' : (microphone?.deviceId ?? '');
  const check = (on: boolean): React.ReactNode =>
    on ? <IconCheck size={14} aria-label={t('Selected')} /> : null;
  return (
    <div className={css.control}>
      <Menu width={280} position="bottom-end" onOpen={() => void listDevices().then(setFound)}>
        <Menu.Target>
          <ActionIcon size={44} variant="default" aria-label={t('Microphone and speaker')}>
            <IconHeadphones size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Microphone')}</Menu.Label>
          <Menu.Item rightSection={check(chosen === '')} onClick={() => selectMicrophone(null)}>
            {t('System default')}
          </Menu.Item>
          {found.microphones
            .filter((d) => d.deviceId && d.deviceId !== 'default')
            .map((d, i) => (
              <Menu.Item
                key={d.deviceId}
                rightSection={check(chosen === d.deviceId)}
                onClick={() => selectMicrophone(d.deviceId)}
              >
                {d.label || t('Microphone {n}', { n: i + 1 })}
              </Menu.Item>
            ))}
          <Menu.Item
            rightSection={check(chosen === 'synthetic')}
            onClick={() => selectMicrophone('synthetic')}
          >
            {t('Synthetic voice (for testing)')}
          </Menu.Item>
          <Menu.Label>{t('Speaker')}</Menu.Label>
          <Menu.Item
            rightSection={check(speaker === '')}
            onClick={() => {
              setSpeaker('');
              selectSpeaker('');
            }}
          >
            {t('System default')}
          </Menu.Item>
          {found.speakers
            .filter((d) => d.deviceId && d.deviceId !== 'default')
            .map((d, i) => (
              <Menu.Item
                key={d.deviceId}
                rightSection={check(speaker === d.deviceId)}
                onClick={() => {
                  setSpeaker(d.deviceId);
                  selectSpeaker(d.deviceId);
                }}
              >
                {d.label || t('Speaker {n}', { n: i + 1 })}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      <span aria-hidden>{t('Devices')}</span>
    </div>
  );
}
