import { routing } from '#contract';
import { t } from '#ui';
import type { Draft, DraftForward, DraftRoute } from '../draft.ts';

/** A number's call flow as steps and the ways between them: what the canvas draws and the list tells. */
export type StepKind = 'start' | 'screen' | 'menu' | 'route' | 'hours' | 'ring' | 'after' | 'end';

export interface StepRow {
  /** As the engine names it: E.164, a SIP address, `user:7`. */
  key: string;
  name: string;
  about: string;
}
export interface FlowStep {
  id: string;
  kind: StepKind;
  /** Key of the route it belongs to. */
  route: string | null;
  title: string;
  about: string;
  rows: StepRow[];
  /** Route and step tell where it stands: the list indents by it, the canvas puts it in a column. */
  depth: number;
}
export interface FlowLink {
  id: string;
  from: string;
  to: string;
  label: string;
}
export interface FlowGraph {
  steps: FlowStep[];
  links: FlowLink[];
}
/** What a draft alone does not know. */
export interface GraphContext {
  number: string;
  people: Readonly<Record<string, string>>;
}

export const keyOfForward = (one: DraftForward): string =>
  one.user_id === null
    ? (routing.destinationNumber(one.number) ?? one.number)
    : `user:${one.user_id}`;
export const nameOfForward = (one: DraftForward, about: GraphContext): string =>
  one.user_id === null
    ? one.label || one.number || t('New phone')
    : (about.people[one.user_id] ?? t('Someone'));
export const nameOfRoute = (route: Pick<DraftRoute, 'label' | 'extension'>): string =>
  route.label || t('Extension {n}', { n: route.extension });

export const goesStraightToVoicemail = (route: DraftRoute): boolean =>
  route.type === 'voicemail' || isVoicemailOnly(route);
const isVoicemailOnly = ({ business_hours: hours }: DraftRoute): boolean =>
  hours !== null && (hours.voicemail || hours.preset === 5);
export const hasHours = ({ business_hours: hours }: DraftRoute): boolean =>
  hours !== null && (hours.preset !== 1 || hours.exceptions.length > 0 || hours.voicemail);

function hoursTitle(route: DraftRoute): string {
  const { business_hours: hours } = route;
  if (hours === null) return t('Always open');
  return t(routing.scheduleLabel(hours.preset, hours.voicemail) || 'Hours');
}

function rowDetail(route: DraftRoute, one: DraftForward): string {
  if (route.type === 'geo')
    return [...one.area_codes, ...one.states].join(', ') || t('All other areas');
  if (route.type === 'sequential') return `${one.timeout ?? route.timeout} s`;
  if (route.type === 'standard' && route.forwards.length > 1)
    return t('Weight {n}', { n: one.weight ?? 1 });
  return '';
}

const ringTitles: Partial<Record<DraftRoute['type'], string>> = {
  standard: 'Rings one of them',
  simultaneous: 'Rings all at once',
  sequential: 'Rings in turn',
  geo: 'By the caller’s area',
  'in-app-calling': 'Rings people in the app',
};

function afterHoursText(route: DraftRoute): { title: string; about: string } {
  const { action, target } = route.after_hours;
  if (action === 'forward') return { title: t('Forward'), about: target || t('Phone not set') };
  if (action === 'greeting')
    return {
      title: t('Message'),
      about: route.after_hours.greeting_id ? t('A saved greeting') : target || t('Text not set'),
    };
  if (action === 'voicemail' || (action === '' && route.voicemail_enabled))
    return { title: t('Voicemail'), about: t('When closed') };
  return { title: t('Message'), about: t('Plays a closed message') };
}

export function graphOf(draft: Draft, about: GraphContext): FlowGraph {
  const steps: FlowStep[] = [];
  const links: FlowLink[] = [];
  const step = (
    id: string,
    kind: StepKind,
    depth: number,
    title: string,
    words: string,
    more: Partial<Pick<FlowStep, 'route' | 'rows'>> = {},
  ): string => {
    steps.push({ id, kind, depth, title, about: words, route: null, rows: [], ...more });
    return id;
  };
  const link = (from: string, to: string, label = ''): void =>
    void links.push({ id: `${from}>${to}${label === '' ? '' : `>${label}`}`, from, to, label });
  const routes = draft.routes.toSorted((a, b) => a.extension - b.extension);
  const several = routes.length > 1;

  step('start', 'start', 0, about.number, t('Incoming call'));
  step('screen', 'screen', 0, t('Blocked callers'), t('Rejected'));
  link('start', 'screen');
  if (several) {
    step('menu', 'menu', 0, t('Menu'), draft.menu.greeting || t('Created from the labels'));
    link('screen', 'menu');
  }
  if (routes.length === 0)
    link(
      'screen',
      step('none', 'end', 1, t('No routes yet'), t('Callers reach voicemail or hear a message')),
    );
  for (const route of routes) addRoute(route, 1);
  if (several) {
    const fallback = draft.routes.find((one) => String(one.extension) === draft.menu.fallback);
    const pressed =
      fallback && links.find((one) => one.from === 'menu' && one.to === `route:${fallback.key}`);
    if (fallback && pressed) pressed.label = t('press {n}, or no key', { n: fallback.extension });
    else
      link(
        'menu',
        step(
          'nobody',
          'end',
          1,
          t('Voicemail'),
          draft.menu.fallback === 'voicemail'
            ? t('If no key is pressed')
            : t('If on, otherwise the first extension'),
        ),
        t('no key'),
      );
  }
  return { steps, links };

  function addRoute(route: DraftRoute, from: number): void {
    const { key } = route;
    const mine = { route: key };
    const enter = step(
      `route:${key}`,
      'route',
      from,
      several
        ? `${route.extension} · ${route.label || t('No label')}`
        : route.label || t('Every call'),
      t(typeLabels[route.type]),
      mine,
    );
    link(several ? 'menu' : 'screen', enter, several ? t('press {n}', { n: route.extension }) : '');
    let at = enter;
    let label = '';
    let depth = from + 1;
    if (hasHours(route) && !isVoicemailOnly(route)) {
      at = step(
        `hours:${key}`,
        'hours',
        depth,
        hoursTitle(route),
        route.business_hours?.exceptions.length
          ? t('{n, plural, one {# special date} other {# special dates}}', {
              n: route.business_hours.exceptions.length,
            })
          : t('Open or closed'),
        mine,
      );
      link(enter, at);
      label = t('open');
      addAfter(at, t('closed'), depth + 1);
      depth += 1;
    }
    if (!goesStraightToVoicemail(route)) {
      const { forwards } = route;
      const rows = forwards.map((one) => ({
        key: keyOfForward(one),
        name: nameOfForward(one, about),
        about: rowDetail(route, one),
      }));
      if (route.type === 'sequential' && forwards.length > 0) {
        for (const [i, one] of forwards.entries()) {
          const ring = step(
            `ring:${key}:${one.key}`,
            'ring',
            depth,
            rows[i]?.name ?? '',
            t('Rings {n} s', { n: one.timeout ?? route.timeout }),
            { ...mine, rows: [] },
          );
          link(at, ring, label);
          [at, label, depth] = [ring, t('no answer'), depth + 1];
        }
      } else {
        const everybody = route.type === 'in-app-calling' && forwards.length === 0;
        const single = forwards.length === 1 && route.type !== 'geo';
        const ring = step(
          `ring:${key}`,
          'ring',
          depth,
          single
            ? (rows[0]?.name ?? '')
            : everybody
              ? t('Everyone in the app')
              : t(ringTitles[route.type] ?? ''),
          forwards.length === 0 && !everybody
            ? t('No one yet')
            : t('Rings {n} s', { n: forwards[0]?.timeout ?? route.timeout }),
          { ...mine, rows: single ? [] : rows },
        );
        link(at, ring, label);
        [at, label, depth] = [ring, t('no answer'), depth + 1];
        if (route.type === 'in-app-calling' && !hasHours(route) && route.after_hours.action !== '')
          addAfter(ring, t('no one active'), depth);
      }
    }
    const takes = route.voicemail_enabled || goesStraightToVoicemail(route);
    link(
      at,
      step(
        `end:${key}`,
        'end',
        depth,
        takes ? t('Voicemail') : t('Message'),
        takes
          ? route.voicemail_greeting || t('The caller leaves a message')
          : t('No one can take the call'),
        mine,
      ),
      label,
    );

    function addAfter(before: string, why: string, at2: number): void {
      const other =
        route.after_hours.action === 'route'
          ? draft.routes.find((one) => String(one.extension) === route.after_hours.target)
          : undefined;
      if (other) link(before, `route:${other.key}`, why);
      else {
        const words = afterHoursText(route);
        link(before, step(`after:${key}`, 'after', at2, words.title, words.about, mine), why);
      }
    }
  }
}

const typeLabels: Record<DraftRoute['type'], string> = {
  standard: 'Standard',
  simultaneous: 'Simultaneous',
  sequential: 'Sequential',
  geo: 'Geo',
  voicemail: 'Voicemail',
  'in-app-calling': 'In-app calling',
};
