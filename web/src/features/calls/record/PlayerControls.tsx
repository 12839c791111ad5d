import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconCheck,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconRewindBackward10,
  IconRewindForward10,
} from '@tabler/icons-react';
import { formatDuration, t } from '#ui';
import css from './Player.module.css';

const speeds = [0.75, 1, 1.25, 1.5, 2] as const;

/** `m:ss` of a number of seconds. */
export const formatClock = (s: number): string =>
  `${Math.floor(s / 60)}:${String(Math.floor(s) % 60).padStart(2, '0')}`;

/** Play and pause, skip, speed and download. `time` and `duration` in seconds. */
export function PlayerControls({
  playing,
  time,
  duration,
  downloadUrl,
  speed,
  onToggle,
  onSeek,
  onSpeed,
}: {
  playing: boolean;
  time: number;
  duration: number;
  downloadUrl: string;
  speed: number;
  onToggle: () => void;
  onSeek: (seconds: number) => void;
  onSpeed: (speed: number) => void;
}) {
  return (
    <div className={css.controls}>
      <ActionIcon
        size={36}
        variant="filled"
        color="accent"
        aria-label={playing ? t('Pause') : t('Play')}
        onClick={onToggle}
      >
        {playing ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
      </ActionIcon>
      <SkipButtons time={time} onSeek={onSeek} />
      <span className={css.time}>
        {formatClock(time)} / {formatClock(duration)}
      </span>
      <span className={css.grow} />
      <SpeedMenu speed={speed} onSpeed={onSpeed} />
      <ActionIcon
        component="a"
        href={`${downloadUrl}&download=1`}
        download
        size={32}
        variant="default"
        aria-label={t('Download ({length})', { length: formatDuration(duration) })}
      >
        <IconDownload size={18} />
      </ActionIcon>
    </div>
  );
}

function SkipButtons({ time, onSeek }: { time: number; onSeek: (seconds: number) => void }) {
  return (
    <>
      <ActionIcon
        size={32}
        variant="default"
        aria-label={t('Back 10 seconds')}
        onClick={() => onSeek(time - 10)}
      >
        <IconRewindBackward10 size={18} />
      </ActionIcon>
      <ActionIcon
        size={32}
        variant="default"
        aria-label={t('Forward 10 seconds')}
        onClick={() => onSeek(time + 10)}
      >
        <IconRewindForward10 size={18} />
      </ActionIcon>
    </>
  );
}

function SpeedMenu({ speed, onSpeed }: { speed: number; onSpeed: (speed: number) => void }) {
  return (
    <Menu width={120} position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('Speed: {speed} times', { speed })}
        >
          {speed}×
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {speeds.map((s) => (
          <Menu.Item
            key={s}
            rightSection={s === speed ? <IconCheck size={14} aria-label={t('Selected')} /> : null}
            onClick={() => onSpeed(s)}
          >
            {s}×
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
