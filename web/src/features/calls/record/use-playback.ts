import { useEffect, useRef, useState } from 'react';

export interface Playback {
  /** Seconds. */ time: number;
  playing: boolean;
  seek: (seconds: number, play?: boolean) => void;
}
export interface Recording {
  url: string;
  peaks: readonly (readonly number[])[];
  /** Seconds. */ duration: number;
  speakers: readonly number[];
}

/**
 * The URL in use. A new signature is not a new recording, so it is kept until it fails; then
 * `expired` is called once and the next `url` replaces it.
 */
export function useSignedUrl(
  url: string,
  expired: () => void,
): { address: string; onError: () => void } {
  const [address, setAddress] = useState(url);
  const failed = useRef(false);
  useEffect(() => {
    if (failed.current) {
      failed.current = false;
      setAddress(url);
    }
  }, [url]);
  const onError = (): void => {
    if (failed.current) return;
    failed.current = true;
    expired();
  };
  return { address, onError };
}

/**
 * Position, speed and playing state of the audio element that `element` returns; starts at once when
 * `startAt` is given.
 */
export function usePlayback(
  element: () => HTMLAudioElement | null,
  address: string,
  duration: number,
  startAt: number | undefined,
  onPlayback: ((p: Playback) => void) | undefined,
) {
  const [time, setTime] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const seek = (to: number, play = false): void => {
    const media = element();
    if (!media) return;
    media.currentTime = Math.max(0, Math.min(duration, to));
    setTime(media.currentTime);
    if (play) void media.play().catch(() => {});
  };
  const toggle = (): void => {
    const media = element();
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
  // oxlint-disable-next-line exhaustive-deps -- told when something plays on, not when a function is made anew
  useEffect(() => report.current?.({ time, playing, seek }), [time, playing]);
  useEffect(() => {
    const media = element();
    if (media) media.playbackRate = speed;
    // oxlint-disable-next-line exhaustive-deps -- the element of the recording at `address`
  }, [speed, address]);
  return { time, setTime, playing, setPlaying, speed, setSpeed, seek, toggle };
}
