import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MediaClient, type Line } from '#ui/phone/media-client.ts';
import { startRinging } from '../calls/index.ts';
import { fetchCallState, fetchHandsetToken, type CallActivity, type Caption } from './sandbox.ts';

const pollMs = 700;
export interface EndedCall {
  line: Line;
  because: string;
  captions: Caption[];
}

/**
 * The telephone of an outside phone: connected while its card is mounted, one call at a time. The
 * exchange reports what the caller heard. `says` is spoken once someone answers, or after the
 * voicemail's beep.
 */
export function useHandsetLine(number: string, says: string) {
  const [client, setClient] = useState<MediaClient | null>(null);
  const [ended, setEnded] = useState<EndedCall | null>(null);
  const [captions, setCaptions] = useState<Caption[]>([]);
  const [activity, setActivity] = useState<CallActivity>('calling');
  const [problem, setProblem] = useState<string | null>(null);
  const captionsRef = useRef<Caption[]>([]);
  captionsRef.current = captions;

  useEffect(() => {
    const mine: MediaClient = new MediaClient({
      url: '/media',
      token: async () => (await fetchHandsetToken(number)).token,
      onRing: () => {
        setEnded(null);
        setCaptions([]);
        setProblem(null);
      },
      onEnded: (line, because) => setEnded({ line, because, captions: captionsRef.current }),
    });
    setClient(mine);
    mine.join().catch(() => {
      /* the card shows the connection's state */
    });
    return () => mine.leave();
  }, [number]);

  const nothing = useCallback(() => () => {}, []);
  const snapshot = useSyncExternalStore(
    client?.subscribe ?? nothing,
    () => client?.snapshot() ?? null,
  );
  const line = snapshot?.lines.at(-1) ?? null;
  const leg = line?.leg ?? null;
  const rings = line?.state === 'ringing';

  // Play the ringing tone.
  useEffect(() => (rings ? startRinging() : undefined), [rings]);

  const spoken = useRef<string | null>(null);
  const speech = useRef(says);
  speech.current = says;
  useEffect(() => {
    setActivity('calling');
    if (!leg) return;
    let active = true;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async (): Promise<void> => {
      const state = await fetchCallState(leg).catch(() => null);
      if (!active) return;
      if (state) {
        setCaptions(state.heard);
        setActivity(state.doing);
        // Spoken once per call: to the person who answered, or after the beep.
        const cue = state.heard.some((h) => h.kind === 'bridge' || h.kind === 'beep');
        if (cue && state.state === 'answered' && spoken.current !== leg && speech.current.trim()) {
          spoken.current = leg;
          void client?.speak(leg, speech.current.trim()).catch(() => {});
        }
      }
      timer = setTimeout(() => void poll(), pollMs);
    };
    void poll();
    return () => {
      active = false;
      clearTimeout(timer);
    };
  }, [leg, client]);

  const attempt = async (action: Promise<unknown> | undefined): Promise<void> => {
    setProblem(null);
    await action?.catch((error: Error) => setProblem(error.message));
  };
  return {
    snapshot,
    line,
    doing: activity,
    heard: captions,
    ended,
    problem,
    dial: (to: string) => {
      setEnded(null);
      setCaptions([]);
      return attempt(client?.dial(to));
    },
    answer: () => attempt(leg ? client?.answer(leg) : undefined),
    decline: () => attempt(leg ? client?.reject(leg) : undefined),
    hangUp: () => attempt(leg ? client?.hangup(leg) : undefined),
    press: (key: string) => attempt(leg ? client?.keys(leg, key) : undefined),
    speak: (text: string) => attempt(leg ? client?.speak(leg, text) : undefined),
    mute: (on: boolean) => client?.mute(on),
    useMicrophone: (on: boolean) => void client?.setMicrophone(on ? null : 'synthetic'),
    forget: () => setEnded(null),
  };
}
export type HandsetLine = ReturnType<typeof useHandsetLine>;
