/**
 * What a leg is told to do one after the other: play prompts, collect keys, be recorded. A leg has one line of tasks;
 * a bridge or a hang-up cuts the one at hand short and drops the rest, and each still reports its end.
 */
import type { Prompt, VoiceEvent } from '../../../ports/voice.ts';
import type { Leg } from './leg.ts';
import type { Sound, Sounds } from './sounds.ts';

type PromptEnd = Extract<VoiceEvent, { type: 'promptEnded' }>['reason'];
export type Task = (cut: AbortSignal) => Promise<void>;

/** How long a leg's sound may take to come up before prompts run without being heard. */
const connectPatienceMs = 5000;

export class TaskLine {
  #last: Promise<unknown> = Promise.resolve();
  #cut = new AbortController();
  /** Tasks begun or waiting. */
  length = 0;

  add(task: Task): void {
    const cut = this.#cut.signal;
    this.length++;
    this.#last = this.#last.then(() => task(cut)).finally(() => this.length--);
    this.#last = this.#last.catch(() => undefined);
  }

  cutShort(): void {
    this.#cut.abort();
    this.#cut = new AbortController();
  }
}

/** Wait until the far end can hear: a greeting's first words are lost otherwise. */
async function audible(leg: Leg): Promise<void> {
  if (!leg.peer) return;
  await Promise.race([
    leg.peer.connected.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, connectPatienceMs).unref()),
  ]);
}

async function soundOf(prompt: Prompt, sounds: Sounds): Promise<Sound> {
  if (prompt.kind === 'say') return sounds.say(prompt.text, prompt.voice, prompt.language);
  if (prompt.kind === 'play') return sounds.file(prompt.fileId, prompt.text);
  return sounds.beep();
}

function logPrompt(leg: Leg, prompt: Prompt): void {
  if (prompt.kind === 'say') leg.log('say', prompt.text);
  else if (prompt.kind === 'play') leg.log('play', prompt.text ?? prompt.name ?? prompt.fileId);
  else leg.log('beep', 'beep');
}

/** Play prompts in order until `cut`. True when all of them were heard to the end. */
export async function playPrompts(
  leg: Leg,
  prompts: Prompt[],
  sounds: Sounds,
  pace: number,
  cut: AbortSignal,
): Promise<boolean> {
  // All are asked for at once, so that the second is made while the first is heard.
  const made = prompts.map((prompt) => soundOf(prompt, sounds));
  await audible(leg);
  const stop = (): void => leg.stopPlaying();
  cut.addEventListener('abort', stop);
  try {
    for (const [i, prompt] of prompts.entries()) {
      if (cut.aborted || leg.state === 'ended') return false;
      const sound = await made[i];
      // Asked again: the caller may have hung up while the sound was being made.
      if (cut.aborted || !stillThere(leg)) return false;
      logPrompt(leg, prompt);
      if (sound && !(await leg.play(sound, leg.peer ? 1 : pace))) return false;
    }
    return true;
  } finally {
    cut.removeEventListener('abort', stop);
  }
}

const stillThere = (leg: Leg): boolean => leg.state !== 'ended';

/** Collect keys while and after prompts play. Keys pressed beforehand count; the first key stops the prompts. */
export async function gatherKeys(
  leg: Leg,
  ask: {
    prompts: Prompt[];
    maxDigits: number;
    timeoutSeconds: number;
    finishOn?: string | undefined;
  },
  sounds: Sounds,
  pace: number,
  cut: AbortSignal,
): Promise<{ digits: string; reason: PromptEnd }> {
  return new Promise((resolve) => {
    let digits = '';
    let timer: NodeJS.Timeout | null = null;
    const prompts = new AbortController();

    const end = (reason: PromptEnd): void => {
      if (timer) clearTimeout(timer);
      cut.removeEventListener('abort', interrupted);
      leg.onKey = null;
      prompts.abort();
      resolve({ digits, reason });
    };
    const interrupted = (): void => end('interrupted');
    const wait = (): void => {
      if (timer) clearTimeout(timer);
      timer = setTimeout(
        () => end(digits === '' ? 'timeout' : 'digits'),
        ask.timeoutSeconds * 1000,
      );
    };
    const press = (digit: string): void => {
      prompts.abort();
      if (ask.finishOn?.includes(digit)) return end('digits');
      digits += digit;
      if (digits.length >= ask.maxDigits) end('digits');
      else wait();
    };

    if (cut.aborted || leg.state === 'ended') return end('interrupted');
    cut.addEventListener('abort', interrupted);
    leg.onKey = press;
    while (leg.typedAhead !== '' && leg.onKey === press) {
      const digit = leg.typedAhead.slice(0, 1);
      leg.typedAhead = leg.typedAhead.slice(1);
      press(digit);
    }
    if (leg.onKey !== press) return;
    if (digits !== '') return;
    void playPrompts(leg, ask.prompts, sounds, pace, prompts.signal).then(() => {
      if (leg.onKey === press && !prompts.signal.aborted) wait();
    });
  });
}
