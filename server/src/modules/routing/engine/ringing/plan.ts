/** Compiles a route to a RingPlan: ordered ring groups, and what follows when no one answers. */
import type { Prompt } from '../../../../gateways/voice.ts';
import { pickByWeight, rotateForwards } from './destination-order.ts';
import {
  availableForwards,
  forwardName,
  forwardsByGeo,
  targetKey,
  toDestination,
  toTargets,
  type PlanContext,
} from './destinations.ts';
import { sayPrompt } from '../labels.ts';
import type { Ending, Flow, Forward, RingGroup, RingPlan, Route, Target } from '../types.ts';

/** The most destinations a simultaneous route rings (A7.1). */
const maxSimultaneous = 10;

/** The ring plan of a route. No groups when none of its destinations can ring now. */
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

/** What follows an unanswered route: its voicemail if enabled, else the "unavailable" message. */
export function noAnswerEnding(route: Route, flow: Flow, because: string, status: 8 | 10): Ending {
  if (route.voicemail.enabled) return { then: 'voicemail', because };
  return { then: 'message', prompts: [sayPrompt(flow.words.unavailable)], status, because };
}

/** The number's voicemail if enabled, else the "unavailable" message. */
export function fallbackEnding(flow: Flow, because: string): Ending {
  return flow.voicemail.enabled
    ? { then: 'voicemail', because }
    : { then: 'message', prompts: [sayPrompt(flow.words.unavailable)], status: 8, because };
}

function ringGroups(route: Route, context: PlanContext): RingGroup[] {
  const confirm = confirmOf(context.flow, route);
  const targetsOf = (forwards: Forward[]) => toTargets(route, forwards, context);
  switch (route.type) {
    case 'voicemail':
      return [];
    case 'standard':
      return simultaneousGroup(targetsOf(weightedForward(route, context)), confirm);
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
      // Rotate before filtering: a destination that is closed keeps its place in the rotation.
      return availableForwards(rotateForwards(route.forwards, route, context.inputs), context).map(
        (forward) => ({ targets: targetsOf([forward]), startAfter: 'previous', confirm }),
      );
    case 'geo':
      return simultaneousGroup(targetsOf(forwardsByGeo(route, context)), confirm);
    case 'in-app-calling': {
      const named = route.forwards.filter((one) => one.userId !== null || one.team);
      const everyone =
        named.length > 0
          ? named
          : context.flow.people.map((person) => toDestination(person.userId));
      return simultaneousGroup(targetsOf(availableForwards(everyone, context)), confirm);
    }
  }
}

/**
 * A standard route's one destination, drawn by weight among those available; empty when none is.
 */
function weightedForward(route: Route, context: PlanContext): Forward[] {
  const available = availableForwards(route.forwards, context, 'one');
  const chosen = pickByWeight(available, context.nextRandom);
  if (chosen === undefined) return [];
  if (available.length > 1)
    context.explain(
      'weight',
      true,
      `${forwardName(chosen, context.flow)} was chosen by weight among ${available.length} destinations.`,
      targetKey(chosen),
    );
  return [chosen];
}

function simultaneousGroup(targets: Target[], confirm: RingGroup['confirm']): RingGroup[] {
  return targets.length === 0 ? [] : [{ targets, startAfter: 0, confirm }];
}

/** What who answers hears first: the caller's source, then the route's whisper. Null: nothing. */
function confirmOf(flow: Flow, route: Route): RingGroup['confirm'] {
  const whisper = [...sourceWhisper(flow), ...(route.whisper ? [sayPrompt(route.whisper)] : [])];
  if (route.confirmKey === null && whisper.length === 0) return null;
  return { key: route.confirmKey, waitSeconds: route.confirmWaitSeconds, whisper };
}

const sourceWhisper = (flow: Flow): Prompt[] =>
  flow.sourceWhisper ? [sayPrompt(flow.sourceWhisper)] : [];

/** The same for a number that isn't a route's destination: only the source. */
export function sourceConfirm(flow: Flow): RingGroup['confirm'] {
  const whisper = sourceWhisper(flow);
  return whisper.length === 0 ? null : { key: null, waitSeconds: 0, whisper };
}
