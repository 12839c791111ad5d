import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { Prompt } from '../../gateways/voice.ts';
import { sdk } from './api.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';

/** Absolute URLs for the documents. */
export interface CallbackUrls {
  /** Requests the leg's current instruction. */
  voice(leg: string): string;
  /** A prompt has ended, or keys were pressed. */
  gather(leg: string, command: string): string;
  recording(leg: string, recordingId: string): string;
  /** Events of a conference, and what follows it. */
  dial(leg: string): string;
  /** A file of the product's, named `company:file`. */
  file(name: string): string;
  /** See `soundFile`. */
  sound(name: string): string;
}
interface LegContext {
  leg: string;
  inbound: boolean;
  /** We have answered the caller; before that the caller may hear nothing but ringing. */
  answered: boolean;
  /** Twilio's id of the only leg that hears this one. */
  coachRef?: string | null;
}
type Voice = InstanceType<typeof VoiceResponse>;
/** What prompts can be written into: the document, or a Gather. */
type PromptParent = Pick<Voice, 'say' | 'play'>;

/**
 * Seconds between two requests for a ringing caller's instruction: only answered calls can be
 * redirected.
 */
const ringingPollSeconds = 2;
/** The longest text of a Say. Characters. */
const maxSayLength = 4000;

/** The TwiML document that makes a leg follow its instruction. */
export function buildTwiml(
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): string {
  const twiml = new (sdk().twiml.VoiceResponse)();
  writeVerbs(twiml, instruction, context, callbacks);
  return twiml.toString();
}

type InstructionOf<Kind extends LegInstruction['kind']> = Extract<LegInstruction, { kind: Kind }>;

function writeVerbs(
  twiml: Voice,
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): void {
  const redirectTo = (url: string) => void twiml.redirect({ method: 'POST' }, url);
  switch (instruction.kind) {
    case 'wait': {
      // A Pause as the first verb does not answer: the caller still hears ringing.
      const isRinging = context.inbound && !context.answered;
      twiml.pause({ length: isRinging ? ringingPollSeconds : 60 });
      return redirectTo(callbacks.voice(context.leg));
    }
    case 'play':
      writePrompts(twiml, instruction.prompts, callbacks);
      return redirectTo(callbacks.gather(context.leg, instruction.command));
    case 'gather':
      return writeGather(twiml, instruction, context, callbacks);
    case 'music':
      return void twiml.play({ loop: 0 }, musicUrl(instruction, callbacks));
    case 'room':
      return writeConference(twiml, instruction, context, callbacks);
    case 'keys':
      twiml.play({ digits: instruction.digits });
      return writeVerbs(twiml, instruction.then, context, callbacks);
    case 'record':
      writeRecord(twiml, instruction, context, callbacks);
      // Twilio continues after a Record only when the caller said nothing.
      return void twiml.hangup();
    case 'hangup':
      return void twiml.hangup();
    case 'reject':
      return void twiml.reject({ reason: instruction.because === 'busy' ? 'busy' : 'rejected' });
  }
}

function writeGather(
  twiml: Voice,
  instruction: InstructionOf<'gather'>,
  { leg }: LegContext,
  callbacks: CallbackUrls,
): void {
  const gather = twiml.gather({
    action: callbacks.gather(leg, instruction.command),
    method: 'POST',
    input: ['dtmf'],
    numDigits: instruction.maxDigits,
    timeout: Math.max(1, Math.round(instruction.timeoutSeconds)),
    // Left out, "#" would end the gather and not be reported.
    finishOnKey: instruction.finishOn,
    actionOnEmptyResult: true,
  });
  writePrompts(gather, instruction.prompts, callbacks);
}

function musicUrl({ file, musicId }: InstructionOf<'music'>, callbacks: CallbackUrls): string {
  if (file) return callbacks.file(file);
  if (musicId === null) return callbacks.sound('ringing');
  return callbacks.sound(`music-${[1, 2, 3].includes(musicId) ? musicId : 1}`);
}

function writeConference(
  twiml: Voice,
  instruction: InstructionOf<'room'>,
  { leg, coachRef }: LegContext,
  callbacks: CallbackUrls,
): void {
  const dial = twiml.dial({ action: callbacks.dial(leg), method: 'POST' });
  dial.conference(
    {
      startConferenceOnEnter: true,
      endConferenceOnExit: false,
      beep: 'false',
      muted: instruction.muted,
      waitUrl: '',
      ...(instruction.coach && coachRef ? { coach: coachRef } : {}),
      statusCallback: callbacks.dial(leg),
      statusCallbackMethod: 'POST',
      statusCallbackEvent: ['join', 'leave'],
      participantLabel: leg,
    },
    instruction.room,
  );
}

function writeRecord(
  twiml: Voice,
  instruction: InstructionOf<'record'>,
  { leg }: LegContext,
  callbacks: CallbackUrls,
): void {
  const url = callbacks.recording(leg, instruction.recordingId);
  twiml.record({
    action: url,
    method: 'POST',
    recordingStatusCallback: url,
    recordingStatusCallbackMethod: 'POST',
    recordingStatusCallbackEvent: ['completed', 'absent'],
    maxLength: instruction.maxSeconds,
    timeout: instruction.silenceSeconds,
    finishOnKey: '#',
    playBeep: instruction.beep,
    trim: 'do-not-trim',
  });
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

/**
 * The response to a text: no reply. Replies are sent like any other text, so that they are stored
 * first.
 */
export const emptyMessagingResponse = (): string =>
  new (sdk().twiml.MessagingResponse)().toString();
