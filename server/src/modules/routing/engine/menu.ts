/** The IVR menu of a number with several routes. */
import type { Prompt } from '../../../gateways/voice.ts';
import { noRoute, routeCall } from './route.ts';
import {
  answerFirstLeg,
  addCommand,
  enterPhase,
  startGuardTimer,
  addHistoryEntry,
  welcomeOnce,
  explain,
  type Step,
} from './step-context.ts';
import type { Menu } from './types.ts';
import { promptSeconds } from './labels.ts';

/** Plays the menu. `pressed`: a repeat after a wrong key, not after silence. */
export function playMenu(step: Step, menu: Menu, attempt = 1, pressed = true): void {
  const { s } = step;
  answerFirstLeg(step);
  const prompts: Prompt[] =
    attempt === 1
      ? [...welcomeOnce(step), ...menu.greeting]
      : [...((pressed ? undefined : menu.silencePrompt) ?? menu.retryPrompt), ...menu.greeting];
  explain(
    step,
    'menu',
    'menu',
    true,
    attempt === 1
      ? 'This number has several extensions, so the caller is asked to choose.'
      : `The menu repeats (${attempt} of ${menu.attempts}).`,
  );
  const commandId = addCommand(step, {
    do: 'gather',
    leg: s.firstLeg,
    prompts,
    maxDigits: menu.maxDigits,
    timeoutSeconds: menu.waitSeconds,
    // With extensions of several digits, # ends the entry.
    finishOn: menu.maxDigits > 1 ? '#' : undefined,
  });
  enterPhase(step, { name: 'menu', commandId, attempt });
  startGuardTimer(step, promptSeconds(prompts) * 2 + menu.waitSeconds + 20);
}

/** The menu's gather ended; `pressed` is '' when nothing was pressed in time. */
export function handleMenuDigits(step: Step, attempt: number, pressed: string): void {
  const { s } = step;
  const digits = pressed.replace(/#$/, '');
  const route = s.flow.routes.find((one) => String(one.extension) === digits);
  if (route !== undefined) {
    addHistoryEntry(step, 2, {
      target: route.label === '' ? String(route.extension) : `${route.extension} ${route.label}`,
    });
    s.facts.status = 2;
    explain(
      step,
      'menu',
      'extension',
      true,
      `The caller pressed ${digits}.`,
      route.label === '' ? String(route.extension) : route.label,
    );
    routeCall(step, route.id, `Extension ${route.extension} was chosen.`);
    return;
  }
  explain(
    step,
    'menu',
    'extension',
    false,
    digits === ''
      ? 'The caller pressed nothing.'
      : `The caller pressed ${digits}, which isn’t an extension.`,
  );
  const { menu } = s.flow;
  if (menu !== null && attempt < menu.attempts) {
    playMenu(step, menu, attempt + 1, digits !== '');
    return;
  }
  const fallback = menu?.fallbackRouteId ?? null;
  if (fallback === null) noRoute(step, 'The caller didn’t choose an extension.');
  else
    routeCall(
      step,
      fallback,
      'The caller didn’t choose an extension, so the default route is used.',
    );
}
