import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MediaClient, type Line } from '#ui/phone/media-client.ts';
import { startRinging } from '../calls/ringer.ts';
import { callState, handsetPass, type Doing, type Heard } from './sandbox.ts';

const everyMs = 700;
export interface Ended {
  line: Line;
  because: string;
  heard: Heard[];
}

/**
 * The telephone part of an outside phone: joined while its card stands, one call at a time. What the caller heard is
 * told by the exchange. `says` is spoken once somebody picks up, or after the voicemail's beep.
 */
export function useLine(number: string, says: string) {
  const [client, setClient] = useState<MediaClient | null>(null);
  const [ended, setEnded] = useState<Ended | null>(null);
  const [heard, setHeard] = useState<Heard[]>([]);
  const [doing, setDoing] = useState<Doing>('calling');
  const [problem, setProblem] = useState<string | null>(null);
  const heardNow = useRef<Heard[]>([]);
  heardNow.current = heard;

  useEffect(() => {
    const mine: MediaClient = new MediaClient({
      url: '/media',
      token: async () => (await handsetPass(number)).token,
      onRing: () => {
        setEnded(null);
        setHeard([]);
        setProblem(null);
      },
      onEnded: (line, because) => setEnded({ line, because, heard: heardNow.current }),
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

  // A ringing phone rings.
  useEffect(() => (rings ? startRinging() : undefined), [rings]);

  const spoken = useRef<string | null>(null);
  const words = useRef(says);
  words.current = says;
  useEffect(() => {
    setDoing('calling');
    if (!leg) return;
    let stays = true;
    let timer: ReturnType<typeof setTimeout>;
    const round = async (): Promise<void> => {
      const state = await callState(leg).catch(() => null);
      if (!stays) return;
      if (state) {
        setHeard(state.heard);
        setDoing(state.doing);
        // Once a call: to the person who answered, or after the beep.
        const cue = state.heard.some((h) => h.kind === 'bridge' || h.kind === 'beep');
        if (cue && state.state === 'answered' && spoken.current !== leg && words.current.trim()) {
          spoken.current = leg;
          void client?.speak(leg, words.current.trim()).catch(() => {});
        }
      }
      timer = setTimeout(() => void round(), everyMs);
    };
    void round();
    return () => {
      stays = false;
      clearTimeout(timer);
    };
  }, [leg, client]);

  const tried = async (what: Promise<unknown> | undefined): Promise<void> => {
    setProblem(null);
    await what?.catch((refusal: Error) => setProblem(refusal.message));
  };
  return {
    snapshot,
    line,
    doing,
    heard,
    ended,
    problem,
    dial: (to: string) => {
      setEnded(null);
      setHeard([]);
      return tried(client?.dial(to));
    },
    answer: () => tried(leg ? client?.answer(leg) : undefined),
    decline: () => tried(leg ? client?.reject(leg) : undefined),
    hangUp: () => tried(leg ? client?.hangup(leg) : undefined),
    press: (key: string) => tried(leg ? client?.keys(leg, key) : undefined),
    speak: (text: string) => tried(leg ? client?.speak(leg, text) : undefined),
    mute: (on: boolean) => client?.mute(on),
    useMicrophone: (on: boolean) => void client?.setMicrophone(on ? null : 'synthetic'),
    forget: () => setEnded(null),
  };
}
export type OutsideLine = ReturnType<typeof useLine>;
