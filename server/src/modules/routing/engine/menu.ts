/** The extensions menu: say the choices, listen for keys, follow the chosen route. */
import type { Prompt } from '../../../ports/voice.ts';
import { noRoute, routeCall } from './route.ts';
import {
  answerFirstLeg,
  command,
  enter,
  guard,
  note,
  welcomeOnce,
  why,
  type Turn,
} from './turn.ts';
import type { Menu } from './types.ts';
import { promptSeconds } from './words.ts';

export function sayMenu(turn: Turn, menu: Menu, attempt = 1, pressed = true): void {
  const { s } = turn;
  answerFirstLeg(turn);
  const prompts: Prompt[] =
    attempt === 1
      ? [...welcomeOnce(turn), ...menu.greeting]
      : [...((pressed ? undefined : menu.silencePrompt) ?? menu.retryPrompt), ...menu.greeting];
  why(
    turn,
    'menu',
    'menu',
    true,
    attempt === 1
      ? 'This number has several extensions: the caller is asked to choose.'
      : `The menu is said again (${attempt} of ${menu.attempts}).`,
  );
  const commandId = command(turn, {
    do: 'gather',
    leg: s.firstLeg,
    prompts,
    maxDigits: menu.maxDigits,
    timeoutSeconds: menu.waitSeconds,
    // With extensions of several digits, # says "that is all".
    finishOn: menu.maxDigits > 1 ? '#' : undefined,
  });
  enter(turn, { name: 'menu', commandId, attempt });
  guard(turn, promptSeconds(prompts) * 2 + menu.waitSeconds + 20);
}

/** The caller pressed something, or nothing in time. */
export function menuGathered(turn: Turn, attempt: number, pressed: string): void {
  const { s } = turn;
  const digits = pressed.replace(/#$/, '');
  const route = s.flow.routes.find((one) => String(one.extension) === digits);
  if (route !== undefined) {
    note(turn, 2, {
      target: route.label === '' ? String(route.extension) : `${route.extension} ${route.label}`,
    });
    s.facts.status = 2;
    why(
      turn,
      'menu',
      'extension',
      true,
      `The caller pressed ${digits}.`,
      route.label === '' ? String(route.extension) : route.label,
    );
    routeCall(turn, route.id, `Extension ${route.extension} was chosen.`);
    return;
  }
  why(
    turn,
    'menu',
    'extension',
    false,
    digits === ''
      ? 'The caller pressed nothing.'
      : `The caller pressed ${digits}, which is no extension.`,
  );
  const { menu } = s.flow;
  if (menu !== null && attempt < menu.attempts) {
    sayMenu(turn, menu, attempt + 1, digits !== '');
    return;
  }
  const fallback = menu?.fallbackRouteId ?? null;
  if (fallback === null) noRoute(turn, 'The caller chose no extension.');
  else routeCall(turn, fallback, 'The caller chose no extension: the default route.');
}
