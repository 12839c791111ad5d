import { useEffect, useRef, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { toast } from '../toast.ts';
import { formatDuration } from '../format.ts';
import { t } from '../i18n.ts';
import css from './AudioClip.module.css';

/** Only one clip plays at a time. */
let playingClip: HTMLAudioElement | null = null;
const speeds = [1, 1.5, 2] as const;
type Speed = (typeof speeds)[number];

/** Playing, position and speed of an `<audio>` element. */
function useClip(seconds: number, onBroken: (() => void) | undefined) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(seconds);
  const [speed, setSpeed] = useState<Speed>(1);
  useEffect(
    () => () => {
      if (playingClip === audio.current) playingClip = null;
    },
    [],
  );
  const toggle = (): void => {
    const el = audio.current;
    if (!el) return;
    if (!el.paused) return el.pause();
    if (playingClip && playingClip !== el) playingClip.pause();
    playingClip = el;
    el.playbackRate = speed;
    // Paused right away, or an expired URL: `onError` handles it.
    void el.play().catch(() => {});
  };
  const seek = (to: number): void => {
    setAt(to);
    if (audio.current) audio.current.currentTime = to;
  };
  const changeSpeed = (next: Speed): void => {
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  };
  const audioProps: React.ComponentProps<'audio'> = {
    ref: audio,
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onEnded: () => {
      setPlaying(false);
      setAt(0);
    },
    onTimeUpdate: (e) => setAt(e.currentTarget.currentTime),
    onLoadedMetadata: (e) => {
      if (Number.isFinite(e.currentTarget.duration)) setLength(e.currentTarget.duration);
    },
    onError: () => {
      setPlaying(false);
      toast.warn(t('Couldn’t play this recording. Try again in a moment.'));
      onBroken?.();
    },
  };
  return { playing, at, length, speed, toggle, seek, changeSpeed, audioProps };
}

/**
 * An audio player in one line: play, seek, time, speed. `seconds`: the duration, where known before
 * it loads.
 */
export function AudioClip({
  url,
  seconds,
  label,
  onBroken,
  small = false,
}: {
  url: string;
  seconds: number;
  label: string;
  onBroken?: () => void;
  small?: boolean;
}) {
  const { playing, at, length, ...clip } = useClip(seconds, onBroken);
  const isStarted = playing || at > 0;
  return (
    <span className={css.clip} data-small={small || undefined} role="group" aria-label={label}>
      <PlayButton label={label} playing={playing} small={small} toggle={clip.toggle} />
      {(!small || isStarted) && <SeekBar at={at} length={length} seek={clip.seek} />}
      <span className={css.time}>
        {isStarted ? `${formatDuration(at)} / ${formatDuration(length)}` : formatDuration(length)}
      </span>
      {!small && isStarted && <SpeedButton speed={clip.speed} onChange={clip.changeSpeed} />}
      <audio src={url} preload="none" {...clip.audioProps} />
    </span>
  );
}

function PlayButton({
  label,
  playing,
  small,
  toggle,
}: {
  label: string;
  playing: boolean;
  small: boolean;
  toggle: () => void;
}) {
  return (
    <ActionIcon
      size={small ? 24 : 30}
      radius="xl"
      variant={small ? 'subtle' : 'light'}
      color="accent"
      aria-label={playing ? t('Pause {what}', { what: label }) : t('Play {what}', { what: label })}
      onClick={(e) => {
        e.stopPropagation();
        e.preventDefault();
        toggle();
      }}
    >
      {playing ? (
        <IconPlayerPauseFilled size={small ? 14 : 16} />
      ) : (
        <IconPlayerPlayFilled size={small ? 14 : 16} />
      )}
    </ActionIcon>
  );
}

/** `at` and `length` in seconds. */
function SeekBar({
  at,
  length,
  seek,
}: {
  at: number;
  length: number;
  seek: (seconds: number) => void;
}) {
  return (
    <input
      type="range"
      className={css.seek}
      min={0}
      max={Math.max(length, 0.1)}
      step={0.1}
      value={Math.min(at, Math.max(length, 0.1))}
      aria-label={t('Position')}
      aria-valuetext={formatDuration(at)}
      style={
        {
          '--part': `${length > 0 ? Math.min(100, (at / length) * 100) : 0}%`,
        } as React.CSSProperties
      }
      onChange={(e) => seek(Number(e.currentTarget.value))}
    />
  );
}

function SpeedButton({ speed, onChange }: { speed: Speed; onChange: (next: Speed) => void }) {
  return (
    <button
      type="button"
      className={css.speed}
      aria-label={t('Speed {n}', { n: speed })}
      onClick={() => onChange(speeds[(speeds.indexOf(speed) + 1) % speeds.length] ?? 1)}
    >
      {speed}×
    </button>
  );
}
