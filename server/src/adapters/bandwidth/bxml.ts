import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as BandwidthSdk from 'bandwidth-sdk';
import type { Prompt } from '../../gateways/voice.ts';
import type { LegInstruction } from '../shared/leg-instruction.ts';

type Verbs = (typeof BandwidthSdk)['Bxml'];
/**
 * Only the SDK's BXML builder is loaded, and only when it is first used, because loading takes a
 * while.
 */
let loaded: Verbs | null = null;
const bxmlVerbs = (): Verbs =>
  (loaded ??= (createRequire(import.meta.url)('bandwidth-sdk/dist/models/bxml') as { Bxml: Verbs })
    .Bxml);
type Verb = Exclude<ConstructorParameters<Verbs['Response']>[0], undefined | readonly unknown[]>;

/** Absolute URLs for the documents. */
export interface CallbackUrls {
  /** Requests the leg's current instruction. */
  voice(leg: string): string;
  /** A prompt has ended, or keys were pressed. */
  gather(leg: string, command: string): string;
  recording(leg: string, recordingId: string): string;
  /** A leg joined or left a conference. */
  conference(leg: string): string;
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
  /** Bandwidth's id of the only leg that hears this one. */
  coachRef?: string | null;
  /** The recording that starts (or stops) with this document. */
  recording?: { begin: string } | 'stop' | null;
  /** The credentials Bandwidth sends with every webhook. */
  login?: { username: string; password: string } | null;
}

/** Seconds between two requests for the instruction of a caller who is still ringing. */
const ringingPollSeconds = 2;
/** How often a piece of music is played before Bandwidth requests the instruction again. */
const musicRepeats = 10;

/** The BXML document that makes a leg follow its instruction. */
export function buildBxml(
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): string {
  const { Bxml } = bxmlVerbs();
  return new Bxml([
    ...recordingVerbs(context, callbacks),
    ...verbsFor(instruction, context, callbacks),
  ]).toBxml();
}

/** Starts or stops the recording of the leg. */
function recordingVerbs({ leg, recording, login }: LegContext, callbacks: CallbackUrls): Verb[] {
  const { StartRecording, StopRecording } = bxmlVerbs();
  if (!recording) return [];
  if (recording === 'stop') return [new StopRecording()];
  return [
    new StartRecording({
      recordingAvailableUrl: callbacks.recording(leg, recording.begin),
      recordingAvailableMethod: 'POST',
      ...login,
      fileFormat: 'wav',
      multiChannel: true,
    }),
  ];
}

type InstructionOf<Kind extends LegInstruction['kind']> = Extract<LegInstruction, { kind: Kind }>;

function verbsFor(
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): Verb[] {
  const { Hangup, Pause, PlayAudio, Redirect, Ring, SendDtmf } = bxmlVerbs();
  const redirectTo = (redirectUrl: string) =>
    new Redirect({ redirectUrl, redirectMethod: 'POST', ...context.login });
  const requestAgain = () => redirectTo(callbacks.voice(context.leg));
  switch (instruction.kind) {
    case 'wait': {
      // Any other verb answers an unanswered caller. A Ring with answerCall false lets the caller
      // hear ringing.
      const isRinging = context.inbound && !context.answered;
      return [
        isRinging
          ? new Ring({ duration: ringingPollSeconds, answerCall: false })
          : new Pause({ duration: 60 }),
        requestAgain(),
      ];
    }
    case 'play':
      return [
        ...promptVerbs(instruction.prompts, callbacks),
        redirectTo(callbacks.gather(context.leg, instruction.command)),
      ];
    case 'gather':
      return [gatherVerb(instruction, context, callbacks)];
    case 'music': {
      const url = musicUrl(instruction, callbacks);
      return [...Array.from({ length: musicRepeats }, () => new PlayAudio(url)), requestAgain()];
    }
    case 'room':
      return [conferenceVerb(instruction, context, callbacks), requestAgain()];
    case 'keys':
      // A pause is `w` on our phones and a comma at Bandwidth.
      return [
        new SendDtmf(instruction.digits.replace(/[wW]/g, ',')),
        ...verbsFor(instruction.then, context, callbacks),
      ];
    case 'record':
      return [
        ...(instruction.beep ? [new PlayAudio(callbacks.sound('beep'))] : []),
        recordVerb(instruction, context, callbacks),
      ];
    case 'hangup':
    case 'reject':
      // As the first verb for an unanswered caller it rejects the call.
      return [new Hangup()];
  }
}

function gatherVerb(
  instruction: InstructionOf<'gather'>,
  { leg, login }: LegContext,
  callbacks: CallbackUrls,
): Verb {
  const { Gather } = bxmlVerbs();
  const seconds = Math.min(60, Math.max(1, Math.round(instruction.timeoutSeconds)));
  return new Gather(
    {
      gatherUrl: callbacks.gather(leg, instruction.command),
      gatherMethod: 'POST',
      ...login,
      maxDigits: Math.min(50, instruction.maxDigits),
      terminatingDigits: instruction.finishOn,
      firstDigitTimeout: seconds,
      interDigitTimeout: seconds,
    },
    promptVerbs(instruction.prompts, callbacks),
  );
}

function musicUrl({ file, musicId }: InstructionOf<'music'>, callbacks: CallbackUrls): string {
  if (file) return callbacks.file(file);
  if (musicId === null) return callbacks.sound('ringing');
  return callbacks.sound(`music-${[1, 2, 3].includes(musicId) ? musicId : 1}`);
}

function conferenceVerb(
  instruction: InstructionOf<'room'>,
  { leg, login, coachRef }: LegContext,
  callbacks: CallbackUrls,
): Verb {
  const { Conference } = bxmlVerbs();
  return new Conference(conferenceName(instruction.room), {
    mute: instruction.muted,
    ...(instruction.coach && coachRef ? { callIdsToCoach: coachRef } : {}),
    conferenceEventUrl: callbacks.conference(leg),
    conferenceEventMethod: 'POST',
    ...login,
  });
}

function recordVerb(
  instruction: InstructionOf<'record'>,
  { leg, login }: LegContext,
  callbacks: CallbackUrls,
): Verb {
  const { Record } = bxmlVerbs();
  const url = callbacks.recording(leg, instruction.recordingId);
  return new Record({
    recordCompleteUrl: url,
    recordCompleteMethod: 'POST',
    recordingAvailableUrl: url,
    recordingAvailableMethod: 'POST',
    ...login,
    maxDuration: instruction.maxSeconds,
    silenceTimeout: instruction.silenceSeconds,
    terminatingDigits: '#',
    fileFormat: 'wav',
  });
}

function promptVerbs(
  prompts: readonly Prompt[],
  callbacks: CallbackUrls,
): (InstanceType<Verbs['SpeakSentence']> | InstanceType<Verbs['PlayAudio']>)[] {
  const { SpeakSentence, PlayAudio } = bxmlVerbs();
  return prompts.map((prompt) => {
    // The SDK does not escape SSML tags, and a user's text must never be read as tags.
    if (prompt.kind === 'say')
      return new SpeakSentence(prompt.text.replace(/[<>]/g, ' '), {
        locale: (prompt.language ?? 'en-US').replace('-', '_'),
      });
    return new PlayAudio(
      prompt.kind === 'play' ? callbacks.file(prompt.fileId) : callbacks.sound('beep'),
    );
  });
}

/** Conference names allow few characters and are shared by all our companies. */
export const conferenceName = (room: string): string =>
  createHash('sha256').update(room).digest('hex').slice(0, 40);
