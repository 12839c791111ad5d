/**
 * Runs the product's commands. Each runs once, however often it is sent; one that no longer applies
 * is ignored.
 */
import type { Destination, VoiceCommand } from '../gateways/voice.ts';
import { toE164 } from './phone-number.ts';
import type { Exchange } from './exchange.ts';
import type { FarEnd } from './leg-types.ts';
import type { Leg } from './leg.ts';
import { gatherDigits, playPrompts } from './leg-tasks.ts';
import type { Task } from './task-queue.ts';

/** Command ids kept to recognize a repeated one: an hour of a busy exchange. */
const rememberedCommands = 50_000;

type LegCommand = Extract<VoiceCommand, { leg: string }>;
type TaskCommand = Extract<
  VoiceCommand,
  { do: 'play' | 'whisper' | 'gather' | 'record' | 'sendDigits' }
>;

export class CommandRunner {
  readonly #done = new Set<string>();

  constructor(
    private readonly exchange: Exchange,
    /** How much faster prompts play on legs without audio (scripted phones). 1 is real time. */
    private readonly promptPace: number,
  ) {}

  perform(commands: VoiceCommand[]): void {
    for (const command of commands) {
      if (this.#done.has(command.id)) continue;
      this.#done.add(command.id);
      if (this.#done.size > rememberedCommands)
        for (const oldest of this.#done) if (this.#done.delete(oldest)) break;
      this.#do(command);
    }
  }

  #do(command: VoiceCommand): void {
    const { exchange } = this;
    switch (command.do) {
      case 'createLeg': {
        const farEnd = farEndOf(command.to);
        if (farEnd)
          return exchange.placeCall(
            command.leg,
            farEnd,
            command.callerId,
            command.callerName ?? null,
            command.timeoutSeconds,
            command.onBehalfOf,
          );
        exchange.log('The sandbox can’t reach this destination', { leg: command.leg });
        return exchange.events.reportLost(command.leg);
      }
      case 'bridge':
      case 'startRecording':
      case 'unbridge': {
        const [one, other] = command.legs.map((id) => this.#leg(id));
        if (!one || !other) return;
        if (command.do === 'unbridge')
          return one.partner === other ? exchange.joins.unbridge(one) : undefined;
        if (one.state !== 'answered' || other.state !== 'answered') return;
        return command.do === 'bridge'
          ? exchange.joins.bridge(one, other)
          : exchange.recordings.startCall(command.recordingId, [one, other]);
      }
      case 'recordSides':
        return exchange.recordings.setSides(
          command.recordingId,
          command.sides.map((side) => side.flatMap((id) => exchange.legs.get(id) ?? [])),
        );
      case 'stopRecording':
        return exchange.recordings.stop(command.recordingId);
      default: {
        const leg = this.#leg(command.leg);
        if (leg) this.#doToLeg(leg, command);
      }
    }
  }

  #doToLeg(leg: Leg, command: LegCommand): void {
    const { exchange } = this;
    leg.lastActiveMs = performance.now();
    switch (command.do) {
      case 'play':
      case 'whisper':
      case 'gather':
      case 'record':
      case 'sendDigits':
        return leg.tasks.add(this.#taskOf(leg, command));
      case 'answer':
        return leg.direction === 'in' ? exchange.answer(leg) : undefined;
      case 'hold':
        return this.#hold(leg, command);
      case 'cancelLeg': {
        const cause = command.because === 'timeout' ? 'noAnswer' : 'cancelled';
        return exchange.end(leg, cause, command.because);
      }
      case 'hangup': {
        const cause = leg.state === 'ringing' ? 'cancelled' : 'hangup';
        return exchange.end(leg, cause, command.because ?? 'hangup');
      }
      case 'reject':
        if (leg.state === 'ringing')
          exchange.end(leg, command.because === 'busy' ? 'busy' : 'rejected', command.because);
        return;
      case 'join':
        return leg.state === 'answered'
          ? exchange.joins.joinRoom(command.room, leg, {
              role: command.role,
              to: new Set(command.to),
            })
          : undefined;
      case 'leave':
        return exchange.joins.leaveRoom(leg);
      case 'createLeg':
        return;
    }
  }

  /** Commands that take time: a leg runs them one after the other. */
  #taskOf(leg: Leg, command: TaskCommand): Task {
    const { exchange, promptPace } = this;
    const { sounds } = exchange;
    switch (command.do) {
      case 'play':
      case 'whisper':
        return async (signal) => {
          const complete = await playPrompts(leg, command.prompts, sounds, promptPace, signal);
          const reason = complete ? 'done' : 'interrupted';
          const commandId = command.id;
          exchange.events.report(leg, { type: 'promptEnded', commandId, reason, digits: '' });
        };
      case 'gather':
        return async (signal) => {
          const gathered = await gatherDigits(leg, command, sounds, promptPace, signal);
          exchange.events.report(leg, { type: 'promptEnded', commandId: command.id, ...gathered });
        };
      case 'record':
        return async (signal) => {
          const { recordingId } = command;
          if (command.beep) await playPrompts(leg, [{ kind: 'beep' }], sounds, 1, signal);
          const ended = exchange.recordings.recordVoicemail(recordingId, leg, command, signal);
          await exchange.speech.speakPending(leg);
          await ended;
        };
      case 'sendDigits':
        return async () => {
          leg.logHeard('keys', command.digits);
          exchange.devices.notify(leg, { type: 'keys', leg: leg.id, digits: command.digits });
          await leg.play(await sounds.dtmf(command.digits));
        };
    }
  }

  #hold(leg: Leg, command: Extract<VoiceCommand, { do: 'hold' }>): void {
    const { sounds, devices } = this.exchange;
    if (command.on)
      leg.startHoldMusic(command.musicId, sounds.music(command.musicId, command.fileId));
    else leg.stopHoldMusic();
    const on = command.on && command.musicId !== null;
    devices.notify(leg, { type: 'held', leg: leg.id, on });
  }

  /**
   * Null when the leg has ended. One that is not known (the exchange restarted) is reported as
   * failed.
   */
  #leg(id: string): Leg | null {
    const leg = this.exchange.legs.get(id);
    if (!leg) this.exchange.events.reportLost(id);
    return leg && leg.state !== 'ended' ? leg : null;
  }
}

/** Null for a destination that the exchange cannot reach. */
function farEndOf(to: Destination): FarEnd | null {
  if (to.kind === 'app')
    return {
      kind: 'app',
      userId: to.userId,
      companyId: to.companyId ?? null,
      device: to.device ?? null,
    };
  if (to.kind === 'phone') return { kind: 'phone', number: toE164(to.number) ?? to.number };
  return null;
}
