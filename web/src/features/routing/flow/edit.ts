import { t } from '#ui';
import { emptyForward, nextRoute, type Draft, type DraftRoute } from '../draft.ts';

/** Kinds of steps the palette offers. */
export type PaletteItem = 'extension' | 'destination' | 'hours' | 'voicemail';
/** Where a step is added: at a step, on the link between two, or without a place. */
export type InsertPoint = { step: string } | { from: string; to: string } | null;
export interface EditResult {
  draft: Draft;
  selectedId: string;
  announcement: string;
}

const [nineToFive] = [
  { preset: 2 as const, timezone: null, blocks: [], exceptions: [], voicemail: false },
];
/**
 * Splits `ring:route-7:forward-8` into the keys of the route and the destination. Null for parts
 * that the step doesn't have.
 */
export function parseStepId(id: string): {
  kind: string;
  route: string | null;
  forward: string | null;
} {
  const [kind = '', route = null, forward = null] = id.split(':');
  return { kind, route, forward };
}

const changeRoute = (
  draft: Draft,
  key: string,
  change: (route: DraftRoute) => DraftRoute,
): Draft => ({
  ...draft,
  routes: draft.routes.map((one) => (one.key === key ? change(one) : one)),
});

/**
 * The route a place belongs to: its own, else the one with the lowest extension.
 */
function targetRoute(draft: Draft, insertPoint: InsertPoint): DraftRoute | undefined {
  const ids =
    insertPoint === null
      ? []
      : 'step' in insertPoint
        ? [insertPoint.step]
        : [insertPoint.to, insertPoint.from];
  const key = ids.map((id) => parseStepId(id).route).find((one) => one !== null);
  return (
    draft.routes.find((one) => one.key === key) ??
    draft.routes.toSorted((a, b) => a.extension - b.extension)[0]
  );
}

/** Adds a step. Existing steps are kept. */
export function addStep(draft: Draft, item: PaletteItem, insertPoint: InsertPoint): EditResult {
  if (item === 'extension') {
    const route = nextRoute(draft.routes);
    return {
      draft: { ...draft, routes: [...draft.routes, route] },
      selectedId: `route:${route.key}`,
      announcement: t('Extension {n} added', { n: route.extension }),
    };
  }
  const target = targetRoute(draft, insertPoint);
  if (target === undefined) {
    const begun = addStep(draft, 'extension', null);
    return item === 'voicemail' && begun.draft.routes[0]
      ? { ...addStep(begun.draft, item, { step: begun.selectedId }) }
      : addStep(begun.draft, item, { step: begun.selectedId });
  }
  const { key } = target;
  if (item === 'hours')
    return {
      draft: changeRoute(draft, key, (route) => ({
        ...route,
        business_hours:
          route.business_hours !== null && route.business_hours.preset !== 1
            ? route.business_hours
            : { ...(route.business_hours ?? nineToFive), preset: 2 },
      })),
      selectedId: `hours:${key}`,
      announcement: t('Hours added'),
    };
  if (item === 'voicemail') return addVoicemail(draft, key, insertPoint);
  return addDestination(draft, target, insertPoint);
}

function addVoicemail(draft: Draft, key: string, insertPoint: InsertPoint): EditResult {
  const ids =
    insertPoint === null
      ? []
      : 'step' in insertPoint
        ? [insertPoint.step]
        : [insertPoint.from, insertPoint.to];
  if (
    ids.includes('nobody') ||
    (ids[0] === 'menu' && (ids.length === 1 || !ids[1]?.startsWith('route:')))
  )
    return {
      draft: { ...draft, menu: { ...draft.menu, fallback: 'voicemail' } },
      selectedId: 'menu',
      announcement: t('Callers who press nothing leave a voicemail'),
    };
  if (
    ids.some((id) => id.startsWith('after:')) ||
    (ids[0]?.startsWith('hours:') && ids[1]?.startsWith('route:'))
  )
    return {
      draft: changeRoute(draft, key, (route) => ({
        ...route,
        after_hours: { action: 'voicemail', target: '' },
      })),
      selectedId: `after:${key}`,
      announcement: t('When closed, callers leave a voicemail'),
    };
  return {
    draft: changeRoute(draft, key, (route) => ({ ...route, voicemail_enabled: true })),
    selectedId: `end:${key}`,
    announcement: t('Voicemail added'),
  };
}

function addDestination(draft: Draft, target: DraftRoute, insertPoint: InsertPoint): EditResult {
  const { key, type, forwards } = target;
  if (type === 'in-app-calling')
    return {
      draft,
      selectedId: `ring:${key}`,
      announcement: t(
        'In-app calling rings people. Add them in the panel, or choose another way to ring first.',
      ),
    };
  const forward = emptyForward();
  const index = (id: string): number =>
    forwards.findIndex((one) => one.key === parseStepId(id).forward);
  let at = forwards.length;
  if (insertPoint !== null && 'to' in insertPoint) {
    const before = index(insertPoint.to);
    if (before >= 0) at = before;
    else if (parseStepId(insertPoint.from).kind !== 'ring') at = 0;
  } else if (insertPoint !== null && index(insertPoint.step) >= 0) at = index(insertPoint.step) + 1;
  // Added after a step that rings: it rings next.
  const behind =
    insertPoint !== null &&
    'to' in insertPoint &&
    parseStepId(insertPoint.from).kind === 'ring' &&
    parseStepId(insertPoint.to).kind === 'end';
  const nextType =
    type === 'voicemail'
      ? 'standard'
      : type === 'standard' && forwards.length === 1 && behind
        ? 'sequential'
        : type;
  const next = changeRoute(draft, key, (route) => ({
    ...route,
    type: nextType,
    forwards: route.forwards.toSpliced(at, 0, forward),
  }));
  return {
    draft: next,
    selectedId: nextType === 'sequential' ? `ring:${key}:${forward.key}` : `ring:${key}`,
    announcement: t('Destination added'),
  };
}

/** Why a step can't be removed; null when it can. */
export function removeBlockReason(id: string): string | null {
  const { kind } = parseStepId(id);
  if (kind === 'start' || kind === 'screen' || kind === 'none')
    return t('This step can’t be removed.');
  if (kind === 'menu') return t('The menu is removed when only one extension is left.');
  return null;
}

/**
 * The draft without a step, what to select then and what to announce. A step that can't be removed
 * leaves the draft as it is.
 */
export function removeStep(draft: Draft, id: string): EditResult {
  const why = removeBlockReason(id);
  if (why !== null) return { draft, selectedId: id, announcement: why };
  const { kind, route, forward } = parseStepId(id);
  if (kind === 'nobody' || route === null)
    return {
      draft: { ...draft, menu: { ...draft.menu, fallback: '' } },
      selectedId: 'menu',
      announcement: t('Callers who press nothing follow the default'),
    };
  const change = (
    how: (one: DraftRoute) => DraftRoute,
    select: string,
    said: string,
  ): EditResult => ({
    draft: changeRoute(draft, route, how),
    selectedId: select,
    announcement: said,
  });
  if (kind === 'hours')
    return change(
      (one) => ({ ...one, business_hours: null }),
      `route:${route}`,
      t('Hours removed: always open'),
    );
  if (kind === 'after')
    return change(
      (one) => ({ ...one, after_hours: { action: '', target: '' } }),
      `hours:${route}`,
      t('After-hours action removed'),
    );
  if (kind === 'end')
    return change(
      (one) => ({ ...one, voicemail_enabled: false }),
      `end:${route}`,
      t('Voicemail removed'),
    );
  if (kind === 'ring')
    return change(
      (one) => ({
        ...one,
        forwards: forward === null ? [] : one.forwards.filter((each) => each.key !== forward),
      }),
      `route:${route}`,
      forward === null ? t('Destinations removed') : t('Destination removed'),
    );
  return {
    draft: { ...draft, routes: draft.routes.filter((one) => one.key !== route) },
    selectedId: draft.routes.length > 2 ? 'menu' : 'screen',
    announcement: t('Extension removed'),
  };
}
