/** A call enters a route: hours, plan, recording notice, ringing. */
import type { Prompt } from '../../../ports/voice.ts';
import { closeWith } from './finish.ts';
import { isOpen } from './hours.ts';
import { forwardTo, otherwise, planRoute, targetOf } from './plan.ts';
import { ring } from './ring.ts';
import {
  answerFirstLeg,
  command,
  draw,
  enter,
  guard,
  welcomeOnce,
  why,
  type Turn,
} from './turn.ts';
import type { Route, RingPlan } from './types.ts';
import { promptSeconds, say } from './words.ts';
import { sendToVoicemail } from './voicemail.ts';

/** A7.1 loop guard. */
export const mostHops = 5;

export function routeCall(turn: Turn, routeId: number, because: string): void {
  const { s } = turn;
  const route = s.flow.routes.find((one) => one.id === routeId);
  if (route === undefined) {
    noRoute(turn, 'This number has no such route.');
    return;
  }
  if (s.visited.includes(routeId) || s.visited.length >= mostHops) {
    why(turn, 'route', 'loop guard', true, `Route ${nameOf(route)} leads in a circle.`);
    sendToVoicemail(turn, route.voicemail.greeting, 'The routes lead in a circle.');
    return;
  }
  s.visited.push(routeId);
  s.facts.routeId = routeId;
  s.facts.extension = route.extension;
  s.facts.extensionLabel = route.label === '' ? null : route.label;
  s.facts.emailAlertAddresses = route.emailAlertAddresses;
  why(turn, 'route', route.type, true, because, nameOf(route));

  if (route.hours !== null) {
    // A7.3: judged at call start only, however long the caller took in the menu.
    const answer = isOpen(route.hours, s.facts.startedAt);
    why(turn, 'hours', 'business hours', answer.open, answer.because);
    if (answer.rule === 'direct voicemail') {
      sendToVoicemail(turn, route.voicemail.greeting, answer.because);
      return;
    }
    if (!answer.open) {
      afterHours(turn, route, answer.because);
      return;
    }
  }
  if (route.type === 'voicemail') {
    sendToVoicemail(turn, route.voicemail.greeting, 'This route goes straight to voicemail.');
    return;
  }
  const plan = planRoute(route, {
    flow: s.flow,
    from: s.from,
    callerState: s.callerState,
    at: s.facts.startedAt,
    world: s.world,
    draw: () => draw(turn),
    why: (rule, matched, reason, target) => why(turn, 'ring', rule, matched, reason, target),
  });
  // A7.1: in-app calling with nobody active takes the after-hours way.
  if (plan.groups.length === 0 && route.type === 'in-app-calling' && route.afterHours !== null) {
    afterHours(turn, route, 'Nobody is active in the app.');
    return;
  }
  announceThenRing(turn, plan);
}

function nameOf(route: Route): string {
  return route.label === '' ? `extension ${route.extension}` : route.label;
}

/** Welcome and recording notice: heard first, once a call, and only when somebody will be rung. */
function announceThenRing(turn: Turn, plan: RingPlan): void {
  const { s } = turn;
  const { announcement, on } = s.flow.recording;
  const notice = on && !s.announced ? (announcement ?? []) : [];
  const prompts = plan.groups.length === 0 ? [] : [...welcomeOnce(turn), ...notice];
  if (prompts.length === 0) {
    ring(turn, plan);
    return;
  }
  answerFirstLeg(turn);
  if (notice.length > 0) {
    s.announced = true;
    why(
      turn,
      'announcement',
      'recording announcement',
      true,
      'Calls on this number are recorded, so the caller is told first.',
    );
  }
  const commandId = command(turn, { do: 'play', leg: s.firstLeg, prompts });
  enter(turn, { name: 'announcing', commandId, plan });
  guard(turn, promptSeconds(prompts) * 2 + 20);
}

const closedWords = ({ s }: Turn): Prompt[] => s.flow.closed ?? [say(s.flow.words.afterHours)];

function afterHours(turn: Turn, route: Route, because: string): void {
  const { s } = turn;
  const action = route.afterHours;
  why(
    turn,
    'hours',
    'after hours',
    true,
    `${because} ${action === null ? 'No after-hours action is set.' : `After hours: ${action.action}.`}`,
  );
  if (action === null) {
    if (route.voicemail.enabled) sendToVoicemail(turn, route.voicemail.greeting, because);
    else closeWith(turn, closedWords(turn), 10, because);
    return;
  }
  switch (action.action) {
    case 'voicemail':
      sendToVoicemail(turn, route.voicemail.greeting, because);
      return;
    case 'greeting':
      closeWith(
        turn,
        action.prompts.length === 0 ? closedWords(turn) : action.prompts,
        10,
        because,
      );
      return;
    case 'route':
      routeCall(turn, action.routeId, because);
      return;
    case 'forward': {
      const target = targetOf(route, forwardTo(action.number), { flow: s.flow, from: s.from });
      const loop = target.key === s.flow.number.number || s.flow.loops.includes(target.key);
      if (loop)
        why(
          turn,
          'ring',
          'loop guard',
          false,
          `${target.label} leads back to this number and is not rung.`,
          target.key,
        );
      announceThenRing(turn, {
        routeId: route.id,
        groups: loop ? [] : [{ targets: [target], startAfter: 0, confirm: null }],
        holdMusicId: route.holdMusicId,
        otherwise: otherwise(route, s.flow, 'Nobody took the call after hours.', loop ? 10 : 8),
      });
    }
  }
}

/** Nothing to follow: the number's voicemail, else the busy message. */
export function noRoute(turn: Turn, because: string): void {
  const { s } = turn;
  why(turn, 'route', 'no route', false, because);
  if (s.flow.voicemail.enabled) sendToVoicemail(turn, null, because);
  else closeWith(turn, [say(s.flow.words.unavailable)], 10, because);
}
