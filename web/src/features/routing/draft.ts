import type { UseFormReturnType } from '@mantine/form';
import { formatPhone, routing } from '#contract';
import { t } from '#ui';

/** A number's routes while they are edited, as the form holds them. */
export interface DraftForward {
  /** Identifies a row while rows move. */
  key: string;
  id: number | null;
  label: string;
  number: string;
  user_id: number | null;
  /** A saved forwarding number: shown here, and rung wherever it leads at the time of the call. */
  contact_id: number | null;
  /** A team: its people at the time of the call are rung. */
  team_id: number | null;
  weight: number | null;
  timeout: number | null;
  schedule: routing.HoursShape | null;
  area_codes: string[];
  states: string[];
  caller_id: 'pass' | 'tracking' | 'custom' | null;
  custom_caller_id: string | null;
}

export const afterHoursActions = ['voicemail', 'forward', 'greeting', 'route'] as const;

export interface DraftRoute extends Omit<
  routing.Route,
  | 'id'
  | 'forwards'
  | 'confirm_key'
  | 'after_hours'
  | 'onhold_music_id'
  | 'voicemail_greeting'
  | 'max_attempts'
> {
  key: string;
  id: number | null;
  forwards: DraftForward[];
  /** '' = none. */
  confirm_key: string;
  /** Text, so that switching the action and back loses nothing. '' = the default. */
  after_hours: {
    action: '' | (typeof afterHoursActions)[number];
    target: string;
    greeting_id?: number | null;
  };
  onhold_music_id: string;
  voicemail_greeting: string;
}

export interface Draft {
  routes: DraftRoute[];
  menu: { greeting: string; greeting_id?: number | null; fallback: string };
}
export type DraftForm = UseFormReturnType<Draft>;

let rowCount = 0;
const newKey = (): string => `row-${(rowCount += 1)}`;

/** A new destination of a route: a phone, a user, a team or a forwarding contact. */
export const emptyForward = (
  to: Partial<Pick<DraftForward, 'number' | 'user_id' | 'team_id' | 'contact_id' | 'label'>> = {},
): DraftForward => ({
  key: newKey(),
  id: null,
  label: to.label ?? '',
  number: to.number ?? '',
  user_id: to.user_id ?? null,
  contact_id: to.contact_id ?? null,
  team_id: to.team_id ?? null,
  weight: null,
  timeout: null,
  schedule: null,
  area_codes: [],
  states: [],
  caller_id: null,
  custom_caller_id: null,
});

/** A new route with the defaults (B §3). */
export const emptyRoute = (extension: number): DraftRoute => ({
  ...routing.routeDefaults,
  key: newKey(),
  id: null,
  extension,
  forwards: [],
  business_hours: null,
  confirm_key: '',
  onhold_music_id: '',
  email_alert_address: [],
  voicemail_greeting: '',
  voicemail_greeting_id: null,
  after_hours: { action: '', target: '' },
});

/** The first route gets extension 1, later ones the next free extension. */
export const nextRoute = (routes: readonly DraftRoute[]): DraftRoute =>
  emptyRoute(
    routes.length === 0 ? 1 : routing.nextFreeExtension(routes.map((one) => one.extension)),
  );

const displayNumber = (number: string | null): string =>
  number === null ? '' : number.startsWith('+') ? formatPhone(number) : number;

/**
 * A number's routes and menu as the editor holds them: every field filled in, with a key per row.
 */
export function toDraft(number: Pick<routing.NumberWithRoutes, 'routes' | 'menu'>): Draft {
  return {
    menu: {
      greeting: number.menu.greeting ?? '',
      greeting_id: number.menu.greeting_id ?? null,
      fallback: number.menu.fallback === null ? '' : String(number.menu.fallback),
    },
    routes: number.routes.map(({ max_attempts: _, ...route }) => ({
      ...route,
      key: `route-${route.id}`,
      forwards: route.forwards.map(({ order: ____, ...one }) => ({
        ...one,
        key: `forward-${one.id}`,
        number: displayNumber(one.number),
      })),
      confirm_key: route.confirm_key === false ? '' : String(route.confirm_key),
      after_hours: { action: route.after_hours?.action ?? '', ...afterHoursOf(route.after_hours) },
      onhold_music_id: route.onhold_music_id === null ? '' : String(route.onhold_music_id),
      voicemail_greeting: route.voicemail_greeting ?? '',
    })),
  };
}

/**
 * The after-hours target in the form: the id of a greeting, or a text that is read aloud or a
 * formatted phone number.
 */
function afterHoursOf(after: routing.Route['after_hours']): {
  target: string;
  greeting_id: number | null;
} {
  if (after?.action === 'greeting' && typeof after.target === 'number')
    return { target: '', greeting_id: after.target };
  return {
    target:
      after?.action === 'forward'
        ? displayNumber(String(after.target))
        : String(after?.target ?? ''),
    greeting_id: null,
  };
}

/** Whether a destination is a phone or SIP address that is typed in. */
export const isPhone = ({
  user_id,
  contact_id,
  team_id,
}: Pick<DraftForward, 'user_id' | 'contact_id' | 'team_id'>): boolean =>
  user_id === null && contact_id === null && team_id === null;

const isEmpty = (forward: DraftForward) => isPhone(forward) && forward.number.trim() === '';

/**
 * Drops empty rows before sending, so that paths in the server's field errors match the rows (B
 * §5).
 */
export const withoutEmptyRows = (draft: Draft): Draft => ({
  ...draft,
  routes: draft.routes.map((route) => ({
    ...route,
    forwards: route.forwards.filter((one) => !isEmpty(one)),
  })),
});

/** Errors found before asking the server: path → sentence. */
export function draftErrors(draft: Draft): Record<string, string> {
  const wrong: Record<string, string> = {};
  draft.routes.forEach((route, i) => {
    if (draft.routes.some((other, j) => j < i && other.extension === route.extension))
      wrong[`routes.${i}.extension`] = t('Extension {n} is used twice.', {
        n: route.extension,
      });
    route.forwards.forEach((forward, j) => {
      if (
        !isEmpty(forward) &&
        isPhone(forward) &&
        routing.destinationNumber(forward.number) === null
      )
        wrong[`routes.${i}.forwards.${j}.number`] = t('Enter a valid phone number.');
    });
    if (
      route.after_hours.action === 'forward' &&
      routing.destinationNumber(route.after_hours.target) === null
    )
      wrong[`routes.${i}.after_hours.target`] = t('Enter a valid phone number.');
    if (
      route.after_hours.action === 'greeting' &&
      !route.after_hours.greeting_id &&
      route.after_hours.target.trim() === ''
    )
      wrong[`routes.${i}.after_hours.target`] = t(
        'Enter what the caller hears, or choose a greeting.',
      );
    if (route.after_hours.action === 'route' && route.after_hours.target === '')
      wrong[`routes.${i}.after_hours.target`] = t('Choose another route of this number.');
  });
  return wrong;
}

/** A copy of the list with one row moved. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const copy = [...list];
  const [row] = copy.splice(from, 1);
  if (row === undefined || to < 0 || to > copy.length) return [...list];
  copy.splice(to, 0, row);
  return copy;
}
