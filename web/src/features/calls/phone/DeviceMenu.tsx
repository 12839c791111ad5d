import { useState } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconHeadphones } from '@tabler/icons-react';
import { t, useStore } from '#ui';
import { listAudioDevices } from '#ui/phone/audio.ts';
import { phone, selectMicrophone, selectSpeaker } from './phone.ts';
import css from './CallPanel.module.css';

type Found = Awaited<ReturnType<typeof listAudioDevices>>;

const isSpecific = (d: MediaDeviceInfo): boolean => d.deviceId !== '' && d.deviceId !== 'default';

/** Chooses microphone and speaker, also during a call. */
export function DeviceMenu() {
  const [found, setFound] = useState<Found>({ microphones: [], speakers: [] });
  const [speaker, setSpeaker] = useState('');
  const microphone = useStore(phone, (s) => s.media?.microphone ?? null);
  const chosen = microphone?.kind === 'synthetic' ? 'synthetic' : (microphone?.deviceId ?? '');
  const chooseSpeaker = (id: string): void => {
    setSpeaker(id);
    selectSpeaker(id);
  };
  return (
    <div className={css.control}>
      <Menu width={280} position="bottom-end" onOpen={() => void listAudioDevices().then(setFound)}>
        <Menu.Target>
          <ActionIcon size={44} variant="default" aria-label={t('Microphone and speaker')}>
            <IconHeadphones size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('Microphone')}</Menu.Label>
          <DeviceItem isChosen={chosen === ''} onChoose={() => selectMicrophone(null)}>
            {t('System default')}
          </DeviceItem>
          {found.microphones.filter(isSpecific).map((d, i) => (
            <DeviceItem
              key={d.deviceId}
              isChosen={chosen === d.deviceId}
              onChoose={() => selectMicrophone(d.deviceId)}
            >
              {d.label || t('Microphone {n}', { n: i + 1 })}
            </DeviceItem>
          ))}
          <DeviceItem
            isChosen={chosen === 'synthetic'}
            onChoose={() => selectMicrophone('synthetic')}
          >
            {t('Synthetic voice (for testing)')}
          </DeviceItem>
          <Menu.Label>{t('Speaker')}</Menu.Label>
          <DeviceItem isChosen={speaker === ''} onChoose={() => chooseSpeaker('')}>
            {t('System default')}
          </DeviceItem>
          {found.speakers.filter(isSpecific).map((d, i) => (
            <DeviceItem
              key={d.deviceId}
              isChosen={speaker === d.deviceId}
              onChoose={() => chooseSpeaker(d.deviceId)}
            >
              {d.label || t('Speaker {n}', { n: i + 1 })}
            </DeviceItem>
          ))}
        </Menu.Dropdown>
      </Menu>
      <span aria-hidden>{t('Devices')}</span>
    </div>
  );
}

const DeviceItem = ({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  children: React.ReactNode;
}) => (
  <Menu.Item
    rightSection={isChosen ? <IconCheck size={14} aria-label={t('Selected')} /> : null}
    onClick={onChoose}
  >
    {children}
  </Menu.Item>
);
