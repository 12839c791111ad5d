import { useEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconRewindBackward10,
  IconRewindForward10,
} from '@tabler/icons-react';
import WaveSurfer from 'wavesurfer.js';
import { formatDuration, t, useShortcuts } from '#ui';
import css from './Player.module.css';

const speeds = [0.75, 1, 1.25, 1.5, 2] as const;
const channelNames: Record<number, string> = { 0: 'Both', 1: 'Agent', 2: 'Client' };
const channelColors: Record<number, string> = { 0: '--tl-quiet', 1: '--tl-accent', 2: '--tl-info' };
const formatClock = (s: number): string =>
  `${Math.floor(s / 60)}:${String(Math.floor(s) % 60).padStart(2, '0')}`;

export interface Playback {
  time: number;
  playing: boolean;
  seek: (seconds: number, play?: boolean) => void;
}
interface Recording {
  url: string;
  peaks: readonly (readonly number[])[];
  duration: number;
  speakers: readonly number[];
}

/**
 * Audio player with a waveform, one lane per speaker. The server sends the waveform, so the file
 * itself is only streamed when played. `expired` is called when the signed URL no longer opens; a
 * new one arrives as `sound.url`.
 */
export function Player({
  sound,
  label,
  expired,
  onPlayback,
  startAt,
}: {
  sound: Recording;
  label: string;
  expired: () => void;
  onPlayback?: (p: Playback) => void;
  /** Starts playing at this second at once. */ startAt?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const [time, setTime] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const { colorScheme } = useMantineColorScheme();
  // A new signature is not a new recording: keep the current URL until it fails.
  const [address, setAddress] = useState(sound.url);
  const failed = useRef(false);
  useEffect(() => {
    if (failed.current) {
      failed.current = false;
      setAddress(sound.url);
    }
  }, [sound.url]);

  useEffect(() => {
    const media = audio.current;
    if (!place.current || !media || !sound.peaks.length) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string): string => style.getPropertyValue(name).trim() || '#64748b';
    const lanes = sound.peaks.map((_, i) => sound.speakers[i] ?? 0);
    const wave = WaveSurfer.create({
      container: place.current,
      media,
      peaks: sound.peaks.map((p) => [...p]),
      duration: sound.duration,
      height: 40,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      cursorWidth: 1,
      cursorColor: color('--tl-text'),
      normalize: false,
      dragToSeek: true,
      hideScrollbar: true,
      splitChannels: lanes.map((lane) => ({
        waveColor: color('--tl-quiet'),
        progressColor: color(channelColors[lane] ?? '--tl-accent'),
        height: 40,
      })),
    });
    return () => wave.destroy();
    // The shape and the theme decide the drawing; the address does not.
  }, [sound.peaks, sound.duration, colorScheme, address]);

  const seek = (to: number, play = false): void => {
    const media = audio.current;
    if (!media) return;
    media.currentTime = Math.max(0, Math.min(sound.duration, to));
    setTime(media.currentTime);
    if (play) void media.play().catch(() => {});
  };
  const toggle = (): void => {
    const media = audio.current;
    if (media) void (media.paused ? media.play().catch(() => {}) : media.pause());
  };
  // Only once: a new signature or a redraw must not restart it.
  const begun = useRef(false);
  useEffect(() => {
    if (startAt !== undefined && !begun.current) {
      begun.current = true;
      seek(startAt, true);
    }
  });
  const report = useRef(onPlayback);
  report.current = onPlayback;
  useEffect(() => report.current?.({ time, playing, seek }), [time, playing]);
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = speed;
  }, [speed, address]);
  useShortcuts([{ keys: ' ', label: t('Play or pause'), group: t('Recording'), run: toggle }]);

  return (
    <div className={css.player} role="group" aria-label={label}>
      <audio
        ref={audio}
        src={address}
        preload="none"
        onTimeUpdate={(e) => setTime(e.currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
        onError={() => {
          if (!failed.current) {
            failed.current = true;
            expired();
          }
        }}
      />
      <div className={css.lanes} aria-hidden>
        {sound.peaks.length > 0 && (
          <div className={css.names}>
            {sound.peaks.map((_, i) => (
              <span key={i}>{t(channelNames[sound.speakers[i] ?? 0] ?? 'Both')}</span>
            ))}
          </div>
        )}
        <div ref={place} className={css.wave} />
      </div>
      <input
        className={css.position}
        type="range"
        min={0}
        max={sound.duration || 1}
        step={0.1}
        value={time}
        onChange={(e) => seek(Number(e.currentTarget.value))}
        aria-label={t('Position')}
        aria-valuetext={t('{at} of {all}', {
          at: formatClock(time),
          all: formatClock(sound.duration),
        })}
      />
      <div className={css.controls}>
        <ActionIcon
          size={36}
          variant="filled"
          color="accent"
          aria-label={playing ? t('Pause') : t('Play')}
          onClick={toggle}
        >
          {playing ? <IconPlayerPause size={18} /> : <IconPlayerPlay size={18} />}
        </ActionIcon>
        <ActionIcon
          size={32}
          variant="default"
          aria-label={t('Back 10 seconds')}
          onClick={() => seek(time - 10)}
        >
          <IconRewindBackward10 size={18} />
        </ActionIcon>
        <ActionIcon
          size={32}
          variant="default"
          aria-label={t('Forward 10 seconds')}
          onClick={() => seek(time + 10)}
        >
          <IconRewindForward10 size={18} />
        </ActionIcon>
        <span className={css.time}>
          {formatClock(time)} / {formatClock(sound.duration)}
        </span>
        <span className={css.grow} />
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
                rightSection={
                  s === speed ? <IconCheck size={14} aria-label={t('Selected')} /> : null
                }
                onClick={() => setSpeed(s)}
              >
                {s}×
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <ActionIcon
          component="a"
          href={`${address}&download=1`}
          download
          size={32}
          variant="default"
          aria-label={t('Download ({length})', { length: formatDuration(sound.duration) })}
        >
          <IconDownload size={18} />
        </ActionIcon>
      </div>
    </div>
  );
}
