/** Commands become deeds. Each is done once, however often it is asked; what no longer makes sense is left undone. */
import type { Destination, VoiceCommand } from '../gateways/voice.ts';
import { toE164 } from '../adapters/sandbox/phone-number.ts';
import type { Exchange } from './exchange.ts';
import type { FarEnd, Leg } from './leg.ts';
import { gatherDigits, playPrompts } from './leg-tasks.ts';

/** Ids kept to recognize a repeated command; an hour of a busy exchange. */
const rememberedCommands = 50_000;

export class CommandRunner {
  readonly #done = new Set<string>();

  constructor(
    private readonly exchange: Exchange,
    /** How much faster prompts pass on legs that nobody listens to (scripted phones). 1 is real time. */
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
        return exchange.reportLost(command.leg);
      }
      case 'bridge':
      case 'startRecording':
      case 'unbridge': {
        const legs = command.legs.map((id) => this.#leg(id));
        const [one, other] = legs;
        if (!one || !other) return;
        if (command.do === 'unbridge')
          return one.partner === other ? exchange.unbridge(one) : undefined;
        if (one.state !== 'answered' || other.state !== 'answered') return;
        return command.do === 'bridge'
          ? exchange.bridge(one, other)
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
        if (leg) this.#doTo(leg, command);
      }
    }
  }

  #doTo(leg: Leg, command: Extract<VoiceCommand, { leg: string }>): void {
    const { exchange, promptPace } = this;
    const { sounds } = exchange;
    const line = exchange.taskQueue(leg);
    leg.lastActiveMs = performance.now();
    switch (command.do) {
      case 'answer':
        return leg.direction === 'in' ? exchange.answer(leg) : undefined;
      case 'play':
      case 'whisper':
        return line.add(async (signal) => {
          const whole = await playPrompts(leg, command.prompts, sounds, promptPace, signal);
          exchange.report(leg, {
            type: 'promptEnded',
            commandId: command.id,
            reason: whole ? 'done' : 'interrupted',
            digits: '',
          });
        });
      case 'gather':
        return line.add(async (signal) => {
          const gathered = await gatherDigits(leg, command, sounds, promptPace, signal);
          exchange.report(leg, { type: 'promptEnded', commandId: command.id, ...gathered });
        });
      case 'record':
        return line.add(async (signal) => {
          if (command.beep) await playPrompts(leg, [{ kind: 'beep' }], sounds, 1, signal);
          const over = exchange.recordings.recordVoicemail(
            command.recordingId,
            leg,
            command,
            signal,
          );
          await exchange.speakNow(leg);
          await over;
        });
      case 'sendDigits':
        return line.add(async () => {
          leg.logHeard('keys', command.digits);
          exchange.devices.notify(leg, { type: 'keys', leg: leg.id, digits: command.digits });
          await leg.play(await sounds.dtmf(command.digits));
        });
      case 'hold':
        if (command.on)
          leg.startHoldMusic(command.musicId, sounds.music(command.musicId, command.fileId));
        else leg.stopHoldMusic();
        return exchange.devices.notify(leg, {
          type: 'held',
          leg: leg.id,
          on: command.on && command.musicId !== null,
        });
      case 'cancelLeg':
        return exchange.end(
          leg,
          command.because === 'timeout' ? 'noAnswer' : 'cancelled',
          command.because,
        );
      case 'hangup':
        return exchange.end(
          leg,
          leg.state === 'ringing' ? 'cancelled' : 'hangup',
          command.because ?? 'hangup',
        );
      case 'reject':
        if (leg.state === 'ringing')
          exchange.end(leg, command.because === 'busy' ? 'busy' : 'rejected', command.because);
        return;
      case 'join':
        return leg.state === 'answered'
          ? exchange.joinRoom(command.room, leg, { role: command.role, to: new Set(command.to) })
          : undefined;
      case 'leave':
        return exchange.leaveRoom(leg);
      case 'createLeg':
        return;
    }
  }

  /** A leg that ended can be told nothing; one we never knew, or forgot in a restart, is reported as over. */
  #leg(id: string): Leg | null {
    const leg = this.exchange.legs.get(id);
    if (!leg) this.exchange.reportLost(id);
    return leg && leg.state !== 'ended' ? leg : null;
  }
}

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
