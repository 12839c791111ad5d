/** The tasks of a leg: play prompts, collect keys. */
import type { Prompt, VoiceEvent } from '../gateways/voice.ts';
import type { Leg } from './leg.ts';
import type { Sound, Sounds } from './sounds.ts';

type PromptEnd = Extract<VoiceEvent, { type: 'promptEnded' }>['reason'];
/** How long prompts wait for a leg's audio to connect. Milliseconds. */
const audioTimeoutMs = 5000;

/** Waits until the far end can hear: otherwise the first words of a greeting are lost. */
async function waitForAudio(leg: Leg): Promise<void> {
  if (!leg.peer) return;
  await Promise.race([
    leg.peer.connected.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, audioTimeoutMs).unref()),
  ]);
}

async function soundOf(prompt: Prompt, sounds: Sounds): Promise<Sound> {
  if (prompt.kind === 'say') return sounds.speech(prompt.text, prompt.voice, prompt.language);
  if (prompt.kind === 'play') return sounds.file(prompt.fileId, prompt.text);
  return sounds.beep();
}

function logPrompt(leg: Leg, prompt: Prompt): void {
  if (prompt.kind === 'say') leg.logHeard('say', prompt.text);
  else if (prompt.kind === 'play')
    leg.logHeard('play', prompt.text ?? prompt.name ?? prompt.fileId);
  else leg.logHeard('beep', 'beep');
}

/**
 * Plays prompts in order until `signal` is aborted. True when all of them were played to the end.
 */
export async function playPrompts(
  leg: Leg,
  prompts: Prompt[],
  sounds: Sounds,
  pace: number,
  signal: AbortSignal,
): Promise<boolean> {
  // All are synthesized at once, so that the second is ready when the first ends.
  const prepared = prompts.map((prompt) => soundOf(prompt, sounds));
  await waitForAudio(leg);
  const stop = (): void => leg.stopPlaying();
  signal.addEventListener('abort', stop);
  try {
    for (const [i, prompt] of prompts.entries()) {
      if (signal.aborted || leg.state === 'ended') return false;
      const sound = await prepared[i];
      // The caller may have hung up while the sound was being made.
      if (signal.aborted || !isUp(leg)) return false;
      logPrompt(leg, prompt);
      if (sound && !(await leg.play(sound, leg.peer ? 1 : pace))) return false;
    }
    return true;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const isUp = (leg: Leg): boolean => leg.state !== 'ended';

/**
 * Collects keys while and after prompts play. Keys pressed before count too; the first key stops
 * the prompts.
 */
export async function gatherDigits(
  leg: Leg,
  gather: {
    prompts: Prompt[];
    maxDigits: number;
    timeoutSeconds: number;
    finishOn?: string | undefined;
  },
  sounds: Sounds,
  pace: number,
  signal: AbortSignal,
): Promise<{ digits: string; reason: PromptEnd }> {
  return new Promise((resolve) => {
    let digits = '';
    let timer: NodeJS.Timeout | null = null;
    const prompts = new AbortController();

    const end = (reason: PromptEnd): void => {
      if (timer) clearTimeout(timer);
      signal.removeEventListener('abort', interrupted);
      leg.onKey = null;
      prompts.abort();
      resolve({ digits, reason });
    };
    const interrupted = (): void => end('interrupted');
    const wait = (): void => {
      if (timer) clearTimeout(timer);
      timer = setTimeout(
        () => end(digits === '' ? 'timeout' : 'digits'),
        gather.timeoutSeconds * 1000,
      );
    };
    const press = (digit: string): void => {
      prompts.abort();
      if (gather.finishOn?.includes(digit)) return end('digits');
      digits += digit;
      if (digits.length >= gather.maxDigits) end('digits');
      else wait();
    };

    if (signal.aborted || leg.state === 'ended') return end('interrupted');
    signal.addEventListener('abort', interrupted);
    leg.onKey = press;
    while (leg.bufferedDigits !== '' && leg.onKey === press) {
      const digit = leg.bufferedDigits.slice(0, 1);
      leg.bufferedDigits = leg.bufferedDigits.slice(1);
      press(digit);
    }
    if (leg.onKey !== press) return;
    if (digits !== '') return;
    void playPrompts(leg, gather.prompts, sounds, pace, prompts.signal).then(() => {
      if (leg.onKey === press && !prompts.signal.aborted) wait();
    });
  });
}
