import {
  begin,
  compileFlow,
  step,
  type CallState,
  type EngineEvent,
  type StepResult,
} from '../server/src/modules/routing/engine/index.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  ourNumber,
  callerNumber,
} from '../server/src/modules/routing/engine/test-support/script.ts';
import type { VoiceCommand } from '../server/src/gateways/voice.ts';
import { compare } from './kit.ts';

/**
 * Steps per second of the call engine: a caller hears a menu and presses 2, three destinations ring
 * with a confirm key, one answers, the call is recorded and ends. The bare loop pays what any host
 * pays per step: parsing the state from JSON and serializing it.
 */
const CALLS = 300;
const flow = compileFlow(
  makeNumberConfig({
    record: true,
    recordingAnnouncement: 'default',
    menuFallback: 1,
    voicemail: { enabled: true, greeting: null },
    routes: [
      makeRoute(),
      makeRoute({
        id: 2,
        extension: 2,
        label: 'Sales',
        type: 'simultaneous',
        confirmKey: '1',
        whisper: 'A call for sales.',
        forwards: ['+12125550111', '+12125550112', '+12125550113'].map((number, i) =>
          makeForward(`Desk ${i}`, { number }),
        ),
      }),
    ],
  }),
);

/** A carrier that carries out every command immediately. */
function answerTo(command: VoiceCommand): object[] {
  switch (command.do) {
    case 'play':
    case 'whisper':
      return [
        {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: 'done',
          digits: '',
        },
      ];
    case 'gather':
      return [
        {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: 'digits',
          digits: command.leg === 'caller' ? '2' : '1',
        },
      ];
    case 'createLeg':
      return [
        { type: 'legRinging', leg: command.leg },
        { type: 'legAnswered', leg: command.leg },
      ];
    case 'hangup':
    case 'cancelLeg':
      return [
        {
          type: 'legEnded',
          leg: command.leg,
          cause: command.do === 'hangup' ? 'hangup' : 'cancelled',
        },
      ];
    case 'bridge':
      return [{ type: 'legEnded', leg: command.legs[0], cause: 'hangup' }];
    default:
      return [];
  }
}

/** Plays one whole call. Returns the number of steps. */
function runCall(seen?: CallState[]): number {
  const waiting: object[] = [];
  let [steps, seq] = [0, 0];
  let state!: CallState;
  const take = (result: StepResult): void => {
    steps += 1;
    state = result.state;
    seen?.push(state);
    for (const command of result.commands) waiting.push(...answerTo(command));
  };
  take(
    begin(
      flow,
      { callId: 'call', leg: 'caller', from: callerNumber, to: ourNumber },
      { now: noon, draw: [0] },
    ),
  );
  for (let said = waiting.shift(); said !== undefined; said = waiting.shift()) {
    seq += 1;
    take(
      step(
        state,
        { id: `e${seq}`, call: 'caller', seq, at: noon + seq, ...said } as EngineEvent,
        noon + seq * 100,
      ),
    );
  }
  if (state.outcome?.status !== 12)
    throw new Error(`the call was not connected: ${JSON.stringify(state.outcome)}`);
  return steps;
}

const states: CallState[] = [];
const stepsOfOne = runCall(states);
const texts = states.map(({ flow: _, ...rest }) => JSON.stringify(rest));
const perSecond = (run: () => number): number => {
  const at = performance.now();
  let steps = 0;
  for (let i = 0; i < CALLS; i++) steps += run();
  return steps / ((performance.now() - at) / 1000);
};
await compare(
  `engine (${stepsOfOne} steps a call)`,
  'steps/s',
  () =>
    Promise.resolve(
      perSecond(() => {
        for (const text of texts) JSON.stringify(JSON.parse(text));
        return texts.length;
      }),
    ),
  () => Promise.resolve(perSecond(() => runCall())),
);
