import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { Prompt } from '../../gateways/voice.ts';
import { sdk } from './api.ts';
import type { LegInstruction } from '../leg-instruction.ts';

/** Addresses a document points at, all absolute. */
export interface CallbackUrls {
  /** What should this leg do now? */
  voice(leg: string): string;
  /** What it heard is over, or keys were pressed. */
  gather(leg: string, command: string): string;
  recording(leg: string, recordingId: string): string;
  /** What happened in a conference, or after it. */
  dial(leg: string): string;
  /** A file of the product's (`company:file`). */
  file(name: string): string;
  sound(name: string): string;
}
export interface LegContext {
  leg: string;
  inbound: boolean;
  /** The caller was picked up (by us): before that nothing may be heard. */
  answered: boolean;
  /** Twilio's id of the leg that alone hears this one. */
  coachRef?: string | null;
}
type Voice = InstanceType<typeof VoiceResponse>;
/** Where prompts can be said: at the top, or inside a Gather. */
type PromptParent = Pick<Voice, 'say' | 'play'>;

/** Seconds between two looks of a caller who is still ringing; a redirect reaches only calls that were picked up. */
const ringingPollSeconds = 2;
/** Longest that Say takes, in characters. */
const maxSayLength = 4000;

export function buildTwiml(
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): string {
  const twiml = new (sdk().twiml.VoiceResponse)();
  writeVerbs(twiml, instruction, context, callbacks);
  return twiml.toString();
}

function writeVerbs(
  twiml: Voice,
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): void {
  const again = () => void twiml.redirect({ method: 'POST' }, callbacks.voice(context.leg));
  switch (instruction.kind) {
    case 'wait':
      // A Pause that comes first does not pick up: the caller goes on hearing it ring.
      twiml.pause({ length: context.inbound && !context.answered ? ringingPollSeconds : 60 });
      return again();
    case 'play':
      writePrompts(twiml, instruction.prompts, callbacks);
      return void twiml.redirect(
        { method: 'POST' },
        callbacks.gather(context.leg, instruction.command),
      );
    case 'gather': {
      const gather = twiml.gather({
        action: callbacks.gather(context.leg, instruction.command),
        method: 'POST',
        input: ['dtmf'],
        numDigits: instruction.maxDigits,
        timeout: Math.max(1, Math.round(instruction.timeoutSeconds)),
        // Without this "#" would end it and never be told.
        finishOnKey: instruction.finishOn,
        actionOnEmptyResult: true,
      });
      return writePrompts(gather, instruction.prompts, callbacks);
    }
    case 'music':
      return void twiml.play(
        { loop: 0 },
        instruction.file
          ? callbacks.file(instruction.file)
          : callbacks.sound(
              instruction.musicId === null
                ? 'ringing'
                : `music-${[1, 2, 3].includes(instruction.musicId) ? instruction.musicId : 1}`,
            ),
      );
    case 'room': {
      const dial = twiml.dial({ action: callbacks.dial(context.leg), method: 'POST' });
      dial.conference(
        {
          startConferenceOnEnter: true,
          endConferenceOnExit: false,
          beep: 'false',
          muted: instruction.muted,
          waitUrl: '',
          ...(instruction.coach && context.coachRef ? { coach: context.coachRef } : {}),
          statusCallback: callbacks.dial(context.leg),
          statusCallbackMethod: 'POST',
          statusCallbackEvent: ['join', 'leave'],
          participantLabel: context.leg,
        },
        instruction.room,
      );
      return;
    }
    case 'keys':
      twiml.play({ digits: instruction.digits });
      return writeVerbs(twiml, instruction.then, context, callbacks);
    case 'record':
      twiml.record({
        action: callbacks.recording(context.leg, instruction.recordingId),
        method: 'POST',
        recordingStatusCallback: callbacks.recording(context.leg, instruction.recordingId),
        recordingStatusCallbackMethod: 'POST',
        recordingStatusCallbackEvent: ['completed', 'absent'],
        maxLength: instruction.maxSeconds,
        timeout: instruction.silenceSeconds,
        finishOnKey: '#',
        playBeep: instruction.beep,
        trim: 'do-not-trim',
      });
      // Only who said nothing at all comes past a Record.
      return void twiml.hangup();
    case 'hangup':
      return void twiml.hangup();
    case 'reject':
      return void twiml.reject({ reason: instruction.because === 'busy' ? 'busy' : 'rejected' });
  }
}

function writePrompts(to: PromptParent, prompts: readonly Prompt[], callbacks: CallbackUrls): void {
  for (const prompt of prompts) {
    if (prompt.kind === 'say')
      to.say(
        { language: (prompt.language ?? 'en-US') as 'en-US' },
        prompt.text.slice(0, maxSayLength),
      );
    else if (prompt.kind === 'play') to.play({}, callbacks.file(prompt.fileId));
    else to.play({}, callbacks.sound('beep'));
  }
}

/** The answer to a text: none. Replies are sent like any other text, so that they are stored first. */
export const emptyMessagingResponse = (): string =>
  new (sdk().twiml.MessagingResponse)().toString();
