/** A carrier that performs every command in simulated time and never fails. */
import type { LegEndCause, VoiceCommand, VoiceEvent } from '../../../../gateways/voice.ts';
import { dtmfOfKey, promptSeconds } from '../labels.ts';
import { step } from '../step.ts';
import type { CallState, EngineEvent, StepResult } from '../types.ts';

export type Reaction = 'answers' | 'no answer' | 'busy' | 'declines' | 'no key';
/**
 * The reaction of every destination, or of each by key (E.164, SIP URI, `user:7`). `*` covers all
 * others; without it they do not answer.
 */
export type Reactions = Reaction | Record<string, Reaction>;

const pickUpSeconds = 4;
const talkSeconds = 30;
/** Limit of a simulation; a flow that reaches it loops and gets a warning. */
const maxEvents = 2000;

type SimulatedEvent = VoiceEvent extends infer E
  ? E extends VoiceEvent
    ? Omit<E, 'id' | 'call' | 'seq' | 'at'>
    : never
  : never;

/** Answers the engine's commands with the events a real carrier would send. */
export class SimulatedCarrier {
  private queue: { at: number; order: number; event: EngineEvent }[] = [];
  private order = 0;
  /** Leg → the confirm key its destination will press. */
  private readonly keys: Map<string, string> = new Map();

  constructor(
    private readonly answers: Reactions,
    private readonly pressed: string[],
  ) {}

  /** Runs the call from its first step until it ends, or until `maxEvents`. */
  play(first: StepResult, at: number): CallState {
    let now = at;
    let { state } = first;
    this.perform(first.commands, state, now);
    for (let i = 0; i < maxEvents && state.phase.name !== 'over'; i += 1) {
      const next = this.queue.toSorted((a, b) => a.at - b.at || a.order - b.order)[0];
      const timer = state.timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined && timer === undefined) break;
      const useTimer = next === undefined || (timer !== undefined && timer.at < next.at);
      now = Math.max(now, useTimer ? (timer?.at ?? now) : next.at);
      if (!useTimer) this.queue = this.queue.filter((one) => one !== next);
      const result = step(
        state,
        useTimer ? { type: 'timer', id: timer?.id ?? '' } : next.event,
        now,
      );
      state = result.state;
      this.perform(result.commands, state, now);
    }
    return state;
  }

  private schedule(now: number, seconds: number, event: SimulatedEvent): void {
    this.order += 1;
    const at = now + seconds * 1000;
    this.queue.push({
      at,
      order: this.order,
      event: {
        ...event,
        id: `event-${this.order}`,
        call: 'caller',
        seq: this.order,
        at,
      } as VoiceEvent,
    });
  }

  private reactionOf(key: string): Reaction {
    return typeof this.answers === 'string'
      ? this.answers
      : (this.answers[key] ?? this.answers['*'] ?? 'no answer');
  }

  private perform(commands: VoiceCommand[], state: CallState, now: number): void {
    for (const command of commands) this.performOne(command, state, now);
  }

  private performOne(command: VoiceCommand, state: CallState, now: number): void {
    switch (command.do) {
      case 'play':
      case 'whisper':
        this.schedule(now, promptSeconds(command.prompts), {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: 'done',
          digits: '',
        });
        return;
      case 'gather': {
        const digits =
          command.leg === state.firstLeg
            ? (this.pressed.shift() ?? '')
            : (this.keys.get(command.leg) ?? '');
        const prompt = promptSeconds(command.prompts);
        const seconds = digits === '' ? prompt + command.timeoutSeconds : prompt + 1;
        this.schedule(now, seconds, {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: digits === '' ? 'timeout' : 'digits',
          digits,
        });
        return;
      }
      case 'createLeg':
        this.callDestination(command, state, now);
        return;
      case 'record':
        this.schedule(now, 10, {
          type: 'recordingReady',
          leg: command.leg,
          recordingId: command.recordingId,
          url: '',
          contentType: 'audio/ogg',
          durationMs: 9000,
          channels: 1,
        });
        return;
      case 'bridge':
        this.schedule(now, talkSeconds, { type: 'legEnded', leg: state.firstLeg, cause: 'hangup' });
        return;
      default:
    }
  }

  private callDestination(
    command: Extract<VoiceCommand, { do: 'createLeg' }>,
    state: CallState,
    now: number,
  ): void {
    const leg = state.legs.find((one) => one.id === command.leg);
    const reaction = this.reactionOf(leg?.target?.key ?? '');
    const plan = state.phase.name === 'ringing' ? state.phase.plan : null;
    const key = plan?.groups[leg?.group ?? 0]?.confirm?.key ?? null;
    if (reaction === 'answers' && key !== null) this.keys.set(command.leg, dtmfOfKey(key));
    const causes: Partial<Record<Reaction, LegEndCause>> = { busy: 'busy', declines: 'declined' };
    const cause = causes[reaction];
    if (cause !== undefined)
      this.schedule(now, pickUpSeconds, { type: 'legEnded', leg: command.leg, cause });
    else if (reaction !== 'no answer')
      this.schedule(now, pickUpSeconds, { type: 'legAnswered', leg: command.leg });
  }
}
