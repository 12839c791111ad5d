import { t } from '#ui';
import type { Draft, DraftRoute } from '../draft.ts';
import {
  afterHoursText,
  goesStraightToVoicemail,
  hasHours,
  hoursTitle,
  isVoicemailOnly,
  keyOfForward,
  nameOfForward,
  ringTitles,
  rowDetail,
  typeLabels,
  type GraphContext,
} from './step-text.ts';

/** A number's call flow as steps and the links between them: what the canvas draws and the list shows. */
export type StepKind = 'start' | 'screen' | 'menu' | 'route' | 'hours' | 'ring' | 'after' | 'end';

interface StepRow {
  /** As the engine names it: E.164, a SIP address, `user:7`. */
  key: string;
  name: string;
  about: string;
}
export interface FlowStep {
  id: string;
  kind: StepKind;
  /** Key of the route it belongs to; null for steps every caller passes. */
  route: string | null;
  title: string;
  about: string;
  rows: StepRow[];
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
/** The graph while it is built, with what its parts need to know. */
interface Building extends FlowGraph {
  draft: Draft;
  context: GraphContext;
}
/** Where the next step of a route is attached: the step before it and the label of the link from there. */
interface OpenEnd {
  from: string;
  label: string;
}

function addStep(
  graph: Building,
  step: Omit<FlowStep, 'route' | 'rows'> & Partial<Pick<FlowStep, 'route' | 'rows'>>,
): string {
  graph.steps.push({ route: null, rows: [], ...step });
  return step.id;
}
function addLink(graph: Building, from: string, to: string, label = ''): void {
  graph.links.push({ id: `${from}>${to}${label === '' ? '' : `>${label}`}`, from, to, label });
}

/** The call flow of a draft. Routes come in the order of their extensions. */
export function graphOf(draft: Draft, context: GraphContext): FlowGraph {
  const graph: Building = { steps: [], links: [], draft, context };
  const routes = draft.routes.toSorted((a, b) => a.extension - b.extension);
  const hasMenu = routes.length > 1;
  addStep(graph, { id: 'start', kind: 'start', title: context.number, about: t('Incoming call') });
  addStep(graph, {
    id: 'screen',
    kind: 'screen',
    title: t('Blocked callers'),
    about: t('Rejected'),
  });
  addLink(graph, 'start', 'screen');
  if (hasMenu) {
    const about = draft.menu.greeting || t('Created from the labels');
    addLink(graph, 'screen', addStep(graph, { id: 'menu', kind: 'menu', title: t('Menu'), about }));
  }
  if (routes.length === 0) {
    const about = t('Callers reach voicemail or hear a message');
    const none = addStep(graph, { id: 'none', kind: 'end', title: t('No routes yet'), about });
    addLink(graph, 'screen', none);
  }
  for (const route of routes) addRoute(graph, route, hasMenu);
  if (hasMenu) addMenuFallback(graph);
  return { steps: graph.steps, links: graph.links };
}

/** What happens to callers who press no key: an extension is named on its link, everything else is a step. */
function addMenuFallback(graph: Building): void {
  const { routes, menu } = graph.draft;
  const fallback = routes.find((route) => String(route.extension) === menu.fallback);
  const link = graph.links.find(
    ({ from, to }) => fallback && from === 'menu' && to === `route:${fallback.key}`,
  );
  if (fallback && link) {
    link.label = t('press {n}, or no key', { n: fallback.extension });
    return;
  }
  const about =
    menu.fallback === 'voicemail'
      ? t('If no key is pressed')
      : t('If on, otherwise the first extension');
  const step = addStep(graph, { id: 'nobody', kind: 'end', title: t('Voicemail'), about });
  addLink(graph, 'menu', step, t('no key'));
}

function addRoute(graph: Building, route: DraftRoute, hasMenu: boolean): void {
  const label = route.label || (hasMenu ? t('No label') : t('Every call'));
  const first = addStep(graph, {
    id: `route:${route.key}`,
    kind: 'route',
    route: route.key,
    title: hasMenu ? `${route.extension} · ${label}` : label,
    about: t(typeLabels[route.type]),
  });
  if (hasMenu) addLink(graph, 'menu', first, t('press {n}', { n: route.extension }));
  else addLink(graph, 'screen', first);
  let end: OpenEnd = { from: first, label: '' };
  if (hasHours(route) && !isVoicemailOnly(route)) end = addHours(graph, route, end);
  if (!goesStraightToVoicemail(route)) end = addRinging(graph, route, end);
  addEnd(graph, route, end);
}

function addHours(graph: Building, route: DraftRoute, { from, label }: OpenEnd): OpenEnd {
  const exceptions = route.business_hours?.exceptions.length ?? 0;
  const hours = addStep(graph, {
    id: `hours:${route.key}`,
    kind: 'hours',
    route: route.key,
    title: hoursTitle(route),
    about:
      exceptions > 0
        ? t('{n, plural, one {# special date} other {# special dates}}', { n: exceptions })
        : t('Open or closed'),
  });
  addLink(graph, from, hours, label);
  addAfterHours(graph, route, { from: hours, label: t('closed') });
  return { from: hours, label: t('open') };
}

/** Another extension is linked to; anything else is a step of this route. */
function addAfterHours(graph: Building, route: DraftRoute, { from, label }: OpenEnd): void {
  const { action, target } = route.after_hours;
  const other = graph.draft.routes.find((one) => String(one.extension) === target);
  if (action === 'route' && other) {
    addLink(graph, from, `route:${other.key}`, label);
    return;
  }
  const id = `after:${route.key}`;
  addStep(graph, { id, kind: 'after', route: route.key, ...afterHoursText(route) });
  addLink(graph, from, id, label);
}

function addRinging(graph: Building, route: DraftRoute, end: OpenEnd): OpenEnd {
  if (route.type === 'sequential' && route.forwards.length > 0)
    return addRingingInTurn(graph, route, end);
  const ring = addStep(graph, ringStep(graph, route));
  addLink(graph, end.from, ring, end.label);
  const needsSomeoneActive = route.type === 'in-app-calling' && !hasHours(route);
  if (needsSomeoneActive && route.after_hours.action !== '')
    addAfterHours(graph, route, { from: ring, label: t('no one active') });
  return { from: ring, label: t('no answer') };
}

function addRingingInTurn(graph: Building, route: DraftRoute, end: OpenEnd): OpenEnd {
  return route.forwards.reduce(({ from, label }, forward) => {
    const ring = addStep(graph, {
      id: `ring:${route.key}:${forward.key}`,
      kind: 'ring',
      route: route.key,
      title: nameOfForward(forward, graph.context),
      about: t('Rings {n} s', { n: forward.timeout ?? route.timeout }),
    });
    addLink(graph, from, ring, label);
    return { from: ring, label: t('no answer') };
  }, end);
}

/** The step that rings a route's destinations; a single one is named in the title. */
function ringStep(graph: Building, route: DraftRoute): FlowStep {
  const { forwards } = route;
  const rows = forwards.map((forward) => ({
    key: keyOfForward(forward),
    name: nameOfForward(forward, graph.context),
    about: rowDetail(route, forward),
  }));
  const isEveryone = route.type === 'in-app-calling' && forwards.length === 0;
  const single = route.type !== 'geo' && rows.length === 1 ? rows[0] : undefined;
  const ringsNoOne = forwards.length === 0 && !isEveryone;
  const title = isEveryone ? t('Everyone in the app') : t(ringTitles[route.type] ?? '');
  return {
    id: `ring:${route.key}`,
    kind: 'ring',
    route: route.key,
    title: single?.name ?? title,
    about: ringsNoOne
      ? t('No one yet')
      : t('Rings {n} s', { n: forwards[0]?.timeout ?? route.timeout }),
    rows: single ? [] : rows,
  };
}

function addEnd(graph: Building, route: DraftRoute, { from, label }: OpenEnd): void {
  const takesVoicemail = route.voicemail_enabled || goesStraightToVoicemail(route);
  const step = addStep(graph, {
    id: `end:${route.key}`,
    kind: 'end',
    route: route.key,
    title: takesVoicemail ? t('Voicemail') : t('Message'),
    about: takesVoicemail
      ? route.voicemail_greeting || t('The caller leaves a message')
      : t('No one can take the call'),
  });
  addLink(graph, from, step, label);
}
