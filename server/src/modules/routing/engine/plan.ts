/** Every forwarding type becomes a RingPlan: an ordered list of ring groups, and what follows if nobody answers. */
import { areaCodeOf, formatPhone } from '#contract/phone';
import type { Prompt } from '../../../ports/voice.ts';
import { isOpen } from './hours.ts';
import { byWeight, rotated } from './order.ts';
import type { Ending, Flow, Forward, RingGroup, RingPlan, Route, Target, World } from './types.ts';
import { say } from './words.ts';

/** What a plan depends on besides the route. `draw` takes the next of the world's draws. */
export interface PlanCircumstances {
  flow: Flow;
  from: string;
  callerState: string | null;
  /** Call start, epoch ms: hours are judged then and only then (A7.3). */
  at: number;
  world: World;
  draw: () => number;
  why: (rule: string, matched: boolean, because: string, target: string | null) => void;
}

/** A7.1: a simultaneous route rings at most ten. */
export const mostAtOnce = 10;

export function planRoute(route: Route, about: PlanCircumstances): RingPlan {
  const groups = groupsOf(route, about);
  return {
    routeId: route.id,
    groups,
    holdMusicId: route.holdMusicId,
    otherwise: otherwise(
      route,
      about.flow,
      groups.length === 0 ? 'There is nobody to ring.' : 'Nobody took the call.',
      groups.length === 0 ? 10 : 8,
    ),
  };
}

/** Voicemail when the route has it, else the busy message. */
export function otherwise(route: Route, flow: Flow, because: string, status: 8 | 10): Ending {
  if (route.voicemail.enabled) return { then: 'voicemail', because };
  return { then: 'message', prompts: [say(flow.words.unavailable)], status, because };
}

function groupsOf(route: Route, about: PlanCircumstances): RingGroup[] {
  const confirm = confirmOf(route);
  const targetsOf = (forwards: Forward[]) => targets(route, forwards, about);
  switch (route.type) {
    case 'voicemail':
      return [];
    case 'standard': {
      const able = usable(route.forwards, about);
      const chosen = byWeight(able, about.draw);
      if (chosen === undefined) return [];
      if (able.length > 1)
        about.why(
          'weight',
          true,
          `${nameOf(chosen, about.flow)} was drawn by weight among ${able.length} destinations.`,
          keyOf(chosen),
        );
      return atOnce(targetsOf([chosen]), confirm);
    }
    case 'simultaneous': {
      const all = targetsOf(usable(route.forwards, about)).slice(0, mostAtOnce);
      const { staggerSeconds } = route;
      if (staggerSeconds === null) return atOnce(all, confirm);
      return all.map((target, i) => ({
        targets: [target],
        startAfter: i * staggerSeconds,
        confirm,
      }));
    }
    case 'sequential':
      // The circle turns with everybody in it: who is closed today does not make another's turn come twice.
      return targetsOf(usable(rotated(route.forwards, route, about.world), about)).map(
        (target) => ({ targets: [target], startAfter: 'previous', confirm }),
      );
    case 'geo':
      return atOnce(targetsOf(near(route, about)), confirm);
    case 'in-app-calling': {
      const named = route.forwards.filter((forward) => forward.userId !== null);
      const everyone =
        named.length > 0 ? named : about.flow.people.map((person) => forwardTo(person.userId));
      return atOnce(targetsOf(usable(everyone, about)), confirm);
    }
  }
}

function atOnce(targets: Target[], confirm: RingGroup['confirm']): RingGroup[] {
  return targets.length === 0 ? [] : [{ targets, startAfter: 0, confirm }];
}

function confirmOf(route: Route): RingGroup['confirm'] {
  const whisper: Prompt[] = route.whisper === '' ? [] : [say(route.whisper)];
  if (route.confirmKey === null && whisper.length === 0) return null;
  return { key: route.confirmKey, waitSeconds: route.confirmWaitSeconds, whisper };
}

export function forwardTo(to: number | string): Forward {
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

export function keyOf(forward: Forward): string {
  return forward.userId === null ? (forward.number ?? '') : `user:${forward.userId}`;
}

/** A number as people read it; a SIP address as it is. */
export const shown = (number: string) => (number.startsWith('+') ? formatPhone(number) : number);

function nameOf(forward: Forward, flow: Flow): string {
  if (forward.label !== '') return forward.label;
  if (forward.userId === null) return shown(forward.number ?? '');
  return (
    flow.people.find((person) => person.userId === forward.userId)?.name ?? `User ${forward.userId}`
  );
}

/** Destinations that may be rung now, each once, with a reason for each that may not. */
function usable(forwards: Forward[], about: PlanCircumstances): Forward[] {
  const { flow } = about;
  const seen = new Set<string>();
  return forwards.filter((forward) => {
    const key = keyOf(forward);
    const name = nameOf(forward, flow);
    const no = (rule: string, because: string) => {
      about.why(rule, false, because, key);
      return false;
    };
    if (seen.has(key))
      return no('once only', `${name} stands twice in this route and is rung once.`);
    seen.add(key);
    if (key === flow.number.number || flow.loops.includes(key))
      return no('loop guard', `${name} leads back to this number and is not rung.`);
    if (
      forward.userId !== null &&
      flow.people.find((person) => person.userId === forward.userId)?.reachable !== true
    ) {
      return no('in-app status', `${name} is away or has no device connected.`);
    }
    const theirs = flow.people.find((person) => person.userId === forward.userId)?.hours ?? null;
    if (forward.userId !== null && theirs !== null) {
      const answer = isOpen(theirs, about.at);
      if (!answer.open) return no('hours of the person', `${name}: ${answer.because}`);
    }
    if (forward.hours !== null) {
      const answer = isOpen(forward.hours, about.at);
      if (!answer.open) return no('hours of the destination', `${name}: ${answer.because}`);
    }
    return true;
  });
}

function targets(route: Route, forwards: Forward[], about: PlanCircumstances): Target[] {
  return forwards.map((forward) => targetOf(route, forward, about));
}

export function targetOf(
  route: Route,
  forward: Forward,
  about: Pick<PlanCircumstances, 'flow' | 'from'>,
): Target {
  const number = forward.number ?? '';
  return {
    key: keyOf(forward),
    to:
      forward.userId !== null
        ? { kind: 'app', userId: forward.userId, companyId: about.flow.company.id }
        : number.startsWith('sip:')
          ? { kind: 'sip', uri: number }
          : { kind: 'phone', number },
    label: nameOf(forward, about.flow),
    callerId: callerIdOf(route, forward, about),
    forwardId: forward.id,
    timeoutSeconds: forward.timeoutSeconds ?? route.timeoutSeconds,
    ...(forward.confirmKey ? { confirmKey: forward.confirmKey } : {}),
    ...(forward.digits ? { digits: forward.digits } : {}),
  };
}

/** The caller's own number passes through unless route or destination says otherwise; a withheld one cannot. */
function callerIdOf(
  route: Route,
  forward: Forward,
  about: Pick<PlanCircumstances, 'flow' | 'from'>,
): string {
  const ours = about.flow.number.number;
  const mode = forward.callerId ?? (route.callerIdPassThru ? 'pass' : 'tracking');
  if (mode === 'custom') return forward.customCallerId ?? ours;
  return mode === 'pass' && about.from.startsWith('+') ? about.from : ours;
}

/** Geo (A7.1): area code, then state, then "all other areas" (destinations with neither). */
function near(route: Route, about: PlanCircumstances): Forward[] {
  const able = usable(route.forwards, about);
  const areaCode = areaCodeOf(about.from);
  const byArea = able.filter(
    (forward) => areaCode !== null && forward.areaCodes.includes(areaCode),
  );
  if (byArea.length > 0) {
    about.why(
      'area code',
      true,
      `The caller's area code ${areaCode} has its own destination.`,
      null,
    );
    return byArea.slice(0, 1);
  }
  const { callerState } = about;
  const byState =
    route.geoByState && callerState !== null
      ? able.filter((forward) => forward.states.includes(callerState))
      : [];
  if (byState.length > 0) {
    about.why('state', true, `The caller's state ${callerState} has its own destination.`, null);
    return byState.slice(0, 1);
  }
  const others = route.geoByStateStaticFallback
    ? able.filter((forward) => forward.areaCodes.length === 0 && forward.states.length === 0)
    : [];
  about.why(
    'all other areas',
    others.length > 0,
    others.length > 0
      ? 'No destination names the caller’s area: all other areas.'
      : 'No destination covers the caller’s area.',
    null,
  );
  return others.slice(0, 1);
}
