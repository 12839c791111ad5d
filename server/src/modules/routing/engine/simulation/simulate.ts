/**
 * Runs a call through the engine with a simulated carrier: it never fails, prompts last as long as
 * they take to speak, destinations react as given. Uses the same `begin` and `step` as a live call.
 */
import { begin } from '../begin.ts';
import { SimulatedCarrier, type Reactions } from './simulated-carrier.ts';
import type { CallState, EngineInputs, Flow, Outcome, PathStep } from '../types.ts';

interface SimulationStep extends PathStep {
  i: number;
  /** Seconds until the next step. */
  duration: number;
  /** The extension of the current route; null outside of any route. */
  extension: number | null;
}

interface Simulation {
  outcome:
    | 'connected'
    | 'voicemail'
    | 'no_answer'
    | 'rejected'
    | 'missed'
    | 'abandoned'
    | 'blocked';
  status: Outcome['status'];
  steps: SimulationStep[];
  warnings: string[];
}

const outcomeNames: Record<Outcome['status'], Simulation['outcome']> = {
  3: 'abandoned',
  4: 'voicemail',
  7: 'rejected',
  8: 'no_answer',
  10: 'missed',
  11: 'abandoned',
  12: 'connected',
  13: 'blocked',
};

/**
 * The call to simulate. To predict the next live call, pass its `draw`, `turns` and `lastAnswered`.
 * `pressed`: the digits of each gather in order.
 */
interface SimulationInput extends Pick<EngineInputs, 'turns' | 'lastAnswered'> {
  from: string;
  /** Epoch ms. */
  at: number;
  pressed?: string[] | undefined;
  state?: string | undefined;
  answers?: Reactions | undefined;
  draw?: number[] | undefined;
}

/** Simulates a call to its end. Every destination answers unless `answers` is given. */
export function simulate(flow: Flow, call: SimulationInput): Simulation {
  const carrier = new SimulatedCarrier(call.answers ?? 'answers', call.pressed ?? []);
  const first = begin(
    flow,
    {
      callId: 'simulation',
      leg: 'caller',
      from: call.from,
      to: flow.number.number,
      state: call.state,
    },
    { now: call.at, draw: call.draw ?? [0], turns: call.turns, lastAnswered: call.lastAnswered },
  );
  const state = carrier.play(first, call.at);
  const extensions = extensionsOf(state);
  const steps = state.path.map((pathStep, i) => ({
    i,
    ...pathStep,
    duration: secondsUntil(state.path[i + 1], pathStep),
    extension: extensions[i] ?? null,
  }));
  const status = state.outcome?.status ?? 10;
  const warnings = [...flow.warnings];
  if (state.outcome === null)
    warnings.push('The call never ended: this configuration leads in a circle.');
  return { outcome: outcomeNames[status], status, steps, warnings };
}

const secondsUntil = (next: PathStep | undefined, from: PathStep): number =>
  next === undefined ? 0 : Math.max(0, Math.round((next.at - from.at) / 1000));

/**
 * The extension of each path step. A step that enters a route belongs to the next visited route.
 */
function extensionsOf({ path, visited, flow }: CallState): (number | null)[] {
  let entered = 0;
  let extension: number | null = null;
  return path.map(({ node, rule }) => {
    if (node === 'route' && rule !== 'loop guard' && rule !== 'no route') {
      extension = flow.routes.find((route) => route.id === visited[entered])?.extension ?? null;
      entered += 1;
    }
    return extension;
  });
}
