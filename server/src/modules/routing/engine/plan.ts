/** Every forwarding type becomes a RingPlan: an ordered list of ring groups, and what follows if nobody answers. */
import { areaCodeOf, formatPhone } from '#contract/phone';
import type { Prompt } from '../../../gateways/voice.ts';
import { isOpen } from './hours.ts';
import { pickByWeight, rotateForwards } from './destination-order.ts';
import type {
  Ending,
  Flow,
  Forward,
  RingGroup,
  RingPlan,
  Route,
  Target,
  EngineInputs,
} from './types.ts';
import { sayPrompt } from './labels.ts';

/** What a plan depends on besides the route. `draw` takes the next of the world's draws. */
export interface PlanContext {
  flow: Flow;
  from: string;
  callerState: string | null;
  /** Call start, epoch ms: hours are judged then and only then (A7.3). */
  at: number;
  inputs: EngineInputs;
  nextRandom: () => number;
  explain: (rule: string, matched: boolean, because: string, target: string | null) => void;
}

/** A7.1: a simultaneous route rings at most ten. */
export const maxSimultaneous = 10;

export function planRoute(route: Route, context: PlanContext): RingPlan {
  const groups = ringGroups(route, context);
  return {
    routeId: route.id,
    groups,
    holdMusicId: route.holdMusicId,
    otherwise: noAnswerEnding(
      route,
      context.flow,
      groups.length === 0 ? 'There is no one to ring.' : 'No one answered the call.',
      groups.length === 0 ? 10 : 8,
    ),
  };
}

/** Voicemail when the route has it, else the busy message. */
export function noAnswerEnding(route: Route, flow: Flow, because: string, status: 8 | 10): Ending {
  if (route.voicemail.enabled) return { then: 'voicemail', because };
  return { then: 'message', prompts: [sayPrompt(flow.words.unavailable)], status, because };
}

function ringGroups(route: Route, context: PlanContext): RingGroup[] {
  const confirm = routeConfirm(route);
  const targetsOf = (forwards: Forward[]) => toTargets(route, forwards, context);
  switch (route.type) {
    case 'voicemail':
      return [];
    case 'standard': {
      const able = availableForwards(route.forwards, context);
      const chosen = pickByWeight(able, context.nextRandom);
      if (chosen === undefined) return [];
      if (able.length > 1)
        context.explain(
          'weight',
          true,
          `${forwardName(chosen, context.flow)} was chosen by weight among ${able.length} destinations.`,
          targetKey(chosen),
        );
      return simultaneousGroup(targetsOf([chosen]), confirm);
    }
    case 'simultaneous': {
      const all = targetsOf(availableForwards(route.forwards, context)).slice(0, maxSimultaneous);
      const { staggerSeconds } = route;
      if (staggerSeconds === null) return simultaneousGroup(all, confirm);
      return all.map((target, i) => ({
        targets: [target],
        startAfter: i * staggerSeconds,
        confirm,
      }));
    }
    case 'sequential':
      // The circle turns with everybody in it: who is closed today does not make another's turn come twice.
      return targetsOf(
        availableForwards(rotateForwards(route.forwards, route, context.inputs), context),
      ).map((target) => ({ targets: [target], startAfter: 'previous', confirm }));
    case 'geo':
      return simultaneousGroup(targetsOf(forwardsByGeo(route, context)), confirm);
    case 'in-app-calling': {
      const named = route.forwards.filter((forward) => forward.userId !== null);
      const everyone =
        named.length > 0
          ? named
          : context.flow.people.map((person) => toDestination(person.userId));
      return simultaneousGroup(targetsOf(availableForwards(everyone, context)), confirm);
    }
  }
}

function simultaneousGroup(targets: Target[], confirm: RingGroup['confirm']): RingGroup[] {
  return targets.length === 0 ? [] : [{ targets, startAfter: 0, confirm }];
}

function routeConfirm(route: Route): RingGroup['confirm'] {
  const whisper: Prompt[] = route.whisper === '' ? [] : [sayPrompt(route.whisper)];
  if (route.confirmKey === null && whisper.length === 0) return null;
  return { key: route.confirmKey, waitSeconds: route.confirmWaitSeconds, whisper };
}

export function toDestination(to: number | string): Forward {
  return {
    id: null,
    number: typeof to === 'string' ? to : null,
    userId: typeof to === 'number' ? to : null,
    label: '',
    weight: null,
    timeoutSeconds: null,
    hours: null,
    areaCodes: [],
    states: [],
    callerId: null,
    customCallerId: null,
  };
}

export function targetKey(forward: Forward): string {
  return forward.userId === null ? (forward.number ?? '') : `user:${forward.userId}`;
}

/** A number as people read it; a SIP address as it is. */
export const displayNumber = (number: string) =>
  number.startsWith('+') ? formatPhone(number) : number;

function forwardName(forward: Forward, flow: Flow): string {
  if (forward.label !== '') return forward.label;
  if (forward.userId === null) return displayNumber(forward.number ?? '');
  return (
    flow.people.find((person) => person.userId === forward.userId)?.name ?? `User ${forward.userId}`
  );
}

/** Destinations that may be rung now, each once, with a reason for each that may not. */
function availableForwards(forwards: Forward[], context: PlanContext): Forward[] {
  const { flow } = context;
  const seen = new Set<string>();
  return forwards.filter((forward) => {
    const key = targetKey(forward);
    const name = forwardName(forward, flow);
    const no = (rule: string, because: string) => {
      context.explain(rule, false, because, key);
      return false;
    };
    if (seen.has(key)) return no('once only', `${name} is in this route twice and is rung once.`);
    seen.add(key);
    if (key === flow.number.number || flow.loops.includes(key))
      return no('loop guard', `${name} leads back to this number and isn’t rung.`);
    if (
      forward.userId !== null &&
      flow.people.find((person) => person.userId === forward.userId)?.reachable !== true
    ) {
      return no('in-app status', `${name} is away or has no device connected.`);
    }
    const theirs = flow.people.find((person) => person.userId === forward.userId)?.hours ?? null;
    if (forward.userId !== null && theirs !== null) {
      const answer = isOpen(theirs, context.at);
      if (!answer.open) return no('hours of the person', `${name}: ${answer.because}`);
    }
    if (forward.hours !== null) {
      const answer = isOpen(forward.hours, context.at);
      if (!answer.open) return no('hours of the destination', `${name}: ${answer.because}`);
    }
    return true;
  });
}

function toTargets(route: Route, forwards: Forward[], context: PlanContext): Target[] {
  return forwards.map((forward) => toTarget(route, forward, context));
}

export function toTarget(
  route: Route,
  forward: Forward,
  context: Pick<PlanContext, 'flow' | 'from'>,
): Target {
  const number = forward.number ?? '';
  return {
    key: targetKey(forward),
    to:
      forward.userId !== null
        ? { kind: 'app', userId: forward.userId, companyId: context.flow.company.id }
        : number.startsWith('sip:')
          ? { kind: 'sip', uri: number }
          : { kind: 'phone', number },
    label: forwardName(forward, context.flow),
    callerId: callerIdFor(route, forward, context),
    forwardId: forward.id,
    timeoutSeconds: forward.timeoutSeconds ?? route.timeoutSeconds,
    ...(forward.confirmKey ? { confirmKey: forward.confirmKey } : {}),
    ...(forward.digits ? { digits: forward.digits } : {}),
  };
}

/** The caller's own number passes through unless route or destination says otherwise; a withheld one cannot. */
function callerIdFor(
  route: Route,
  forward: Forward,
  context: Pick<PlanContext, 'flow' | 'from'>,
): string {
  const ours = context.flow.number.number;
  const mode = forward.callerId ?? (route.callerIdPassThru ? 'pass' : 'tracking');
  if (mode === 'custom') return forward.customCallerId ?? ours;
  return mode === 'pass' && context.from.startsWith('+') ? context.from : ours;
}

/** Geo (A7.1): area code, then state, then "all other areas" (destinations with neither). */
function forwardsByGeo(route: Route, context: PlanContext): Forward[] {
  const able = availableForwards(route.forwards, context);
  const areaCode = areaCodeOf(context.from);
  const byArea = able.filter(
    (forward) => areaCode !== null && forward.areaCodes.includes(areaCode),
  );
  if (byArea.length > 0) {
    context.explain(
      'area code',
      true,
      `The caller's area code ${areaCode} has its own destination.`,
      null,
    );
    return byArea.slice(0, 1);
  }
  const { callerState } = context;
  const byState =
    route.geoByState && callerState !== null
      ? able.filter((forward) => forward.states.includes(callerState))
      : [];
  if (byState.length > 0) {
    context.explain(
      'state',
      true,
      `The caller's state ${callerState} has its own destination.`,
      null,
    );
    return byState.slice(0, 1);
  }
  const others = route.geoByStateStaticFallback
    ? able.filter((forward) => forward.areaCodes.length === 0 && forward.states.length === 0)
    : [];
  context.explain(
    'all other areas',
    others.length > 0,
    others.length > 0
      ? 'No destination covers the caller’s area, so all other areas applies.'
      : 'No destination covers the caller’s area.',
    null,
  );
  return others.slice(0, 1);
}
