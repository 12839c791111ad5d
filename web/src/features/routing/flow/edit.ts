import { t } from '#ui';
import { emptyForward, nextRoute, type Draft, type DraftRoute } from '../draft.ts';

/** What the palette offers. */
export type Item = 'extension' | 'destination' | 'hours' | 'voicemail';
/** Where a step is put: onto a step, onto the way between two, or nowhere in particular. */
export type Spot = { step: string } | { from: string; to: string } | null;
export interface Edited {
  draft: Draft;
  select: string;
  said: string;
}

const [nineToFive] = [
  { preset: 2 as const, timezone: null, blocks: [], exceptions: [], voicemail: false },
];
/** `ring:route-7:forward-8` → its route's key and its destination's. */
export function partsOf(id: string): {
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

/** The route meant by a spot: its own, else the one that stands alone, else the first. */
function routeMeant(draft: Draft, spot: Spot): DraftRoute | undefined {
  const ids = spot === null ? [] : 'step' in spot ? [spot.step] : [spot.to, spot.from];
  const key = ids.map((id) => partsOf(id).route).find((one) => one !== null);
  return (
    draft.routes.find((one) => one.key === key) ??
    draft.routes.toSorted((a, b) => a.extension - b.extension)[0]
  );
}

/** Put a step in. Nothing is lost: what stood there stays. */
export function addStep(draft: Draft, item: Item, spot: Spot): Edited {
  if (item === 'extension') {
    const route = nextRoute(draft.routes);
    return {
      draft: { ...draft, routes: [...draft.routes, route] },
      select: `route:${route.key}`,
      said: t('Extension {n} was added', { n: route.extension }),
    };
  }
  const meant = routeMeant(draft, spot);
  if (meant === undefined) {
    const begun = addStep(draft, 'extension', null);
    return item === 'voicemail' && begun.draft.routes[0]
      ? { ...addStep(begun.draft, item, { step: begun.select }) }
      : addStep(begun.draft, item, { step: begun.select });
  }
  const { key } = meant;
  if (item === 'hours')
    return {
      draft: changeRoute(draft, key, (route) => ({
        ...route,
        business_hours:
          route.business_hours !== null && route.business_hours.preset !== 1
            ? route.business_hours
            : { ...(route.business_hours ?? nineToFive), preset: 2 },
      })),
      select: `hours:${key}`,
      said: t('Hours were added'),
    };
  if (item === 'voicemail') return addVoicemail(draft, key, spot);
  return addDestination(draft, meant, spot);
}

function addVoicemail(draft: Draft, key: string, spot: Spot): Edited {
  const ids = spot === null ? [] : 'step' in spot ? [spot.step] : [spot.from, spot.to];
  if (
    ids.includes('nobody') ||
    (ids[0] === 'menu' && (ids.length === 1 || !ids[1]?.startsWith('route:')))
  )
    return {
      draft: { ...draft, menu: { ...draft.menu, fallback: 'voicemail' } },
      select: 'menu',
      said: t('Callers who press nothing leave a voicemail'),
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
      select: `after:${key}`,
      said: t('When closed, callers leave a voicemail'),
    };
  return {
    draft: changeRoute(draft, key, (route) => ({ ...route, voicemail_enabled: true })),
    select: `end:${key}`,
    said: t('Voicemail was added'),
  };
}

function addDestination(draft: Draft, meant: DraftRoute, spot: Spot): Edited {
  const { key, type, forwards } = meant;
  if (type === 'in-app-calling')
    return {
      draft,
      select: `ring:${key}`,
      said: t(
        'In-app calling rings people. Add them in the panel, or choose another way to ring first.',
      ),
    };
  const forward = emptyForward();
  const index = (id: string): number =>
    forwards.findIndex((one) => one.key === partsOf(id).forward);
  let at = forwards.length;
  if (spot !== null && 'to' in spot) {
    const before = index(spot.to);
    if (before >= 0) at = before;
    else if (partsOf(spot.from).kind !== 'ring') at = 0;
  } else if (spot !== null && index(spot.step) >= 0) at = index(spot.step) + 1;
  // Put behind the one that rings: it is meant to ring next.
  const behind =
    spot !== null &&
    'to' in spot &&
    partsOf(spot.from).kind === 'ring' &&
    partsOf(spot.to).kind === 'end';
  const becomes =
    type === 'voicemail'
      ? 'standard'
      : type === 'standard' && forwards.length === 1 && behind
        ? 'sequential'
        : type;
  const next = changeRoute(draft, key, (route) => ({
    ...route,
    type: becomes,
    forwards: route.forwards.toSpliced(at, 0, forward),
  }));
  return {
    draft: next,
    select: becomes === 'sequential' ? `ring:${key}:${forward.key}` : `ring:${key}`,
    said: t('A destination was added'),
  };
}

/** Why a step cannot be taken out; null = it can. */
export function whyNotRemove(id: string): string | null {
  const { kind } = partsOf(id);
  if (kind === 'start' || kind === 'screen' || kind === 'none')
    return t('This step always stands.');
  if (kind === 'menu') return t('The menu goes when only one extension is left.');
  return null;
}

export function removeStep(draft: Draft, id: string): Edited {
  const why = whyNotRemove(id);
  if (why !== null) return { draft, select: id, said: why };
  const { kind, route, forward } = partsOf(id);
  if (kind === 'nobody' || route === null)
    return {
      draft: { ...draft, menu: { ...draft.menu, fallback: '' } },
      select: 'menu',
      said: t('Callers who press nothing go the usual way'),
    };
  const change = (how: (one: DraftRoute) => DraftRoute, select: string, said: string): Edited => ({
    draft: changeRoute(draft, route, how),
    select,
    said,
  });
  if (kind === 'hours')
    return change(
      (one) => ({ ...one, business_hours: null }),
      `route:${route}`,
      t('Hours were removed: always open'),
    );
  if (kind === 'after')
    return change(
      (one) => ({ ...one, after_hours: { action: '', target: '' } }),
      `hours:${route}`,
      t('The after-hours action was removed'),
    );
  if (kind === 'end')
    return change(
      (one) => ({ ...one, voicemail_enabled: false }),
      `end:${route}`,
      t('Voicemail was removed'),
    );
  if (kind === 'ring')
    return change(
      (one) => ({
        ...one,
        forwards: forward === null ? [] : one.forwards.filter((each) => each.key !== forward),
      }),
      `route:${route}`,
      forward === null ? t('Its destinations were removed') : t('The destination was removed'),
    );
  return {
    draft: { ...draft, routes: draft.routes.filter((one) => one.key !== route) },
    select: draft.routes.length > 2 ? 'menu' : 'screen',
    said: t('The extension was removed'),
  };
}
