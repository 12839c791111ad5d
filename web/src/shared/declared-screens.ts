import type { Screen, TabRow } from '../features/feature.ts';

let declared: readonly Screen[] = [];

/**
 * Tells shared parts which screens there are. They can't import the list of features, because the
 * features import them.
 */
export function declareScreens(screens: readonly Screen[]): void {
  declared = screens;
}
/** All screens of the app; none before they are declared. */
export const declaredScreens = (): readonly Screen[] => declared;

/** The tabs of a row whose screens the user may open, in order. */
export const tabsOf = (row: TabRow, may: (permission: string) => boolean) =>
  declared
    .flatMap(({ path, permission, tab }) =>
      tab?.row === row && (!permission || may(permission)) ? [{ path, ...tab }] : [],
    )
    .sort((a, b) => a.order - b.order);

/** Screens of the gallery of integrations that the user may open, as they are declared. */
export const galleryTiles = (
  may: (permission: string) => boolean,
): { path: string; title: string; about: string }[] =>
  declared.flatMap(({ path, permission, title, tile }) =>
    tile && title && (!permission || may(permission))
      ? [{ path, title: title(), about: tile() }]
      : [],
  );

/** Where connected accounts of a provider are set up; undefined: nowhere. */
export const accountScreen = (provider: string): string | undefined =>
  declared.find(({ accountsOf }) => accountsOf === provider)?.path;

/** Screens below those of the navigation: those with a title of their own that the user may see. */
export const secondLevelScreens = (
  may: (permission: string) => boolean,
): { path: string; title: string }[] =>
  declared.flatMap(({ path, permission, title }) =>
    title && (!permission || may(permission)) ? [{ path, title: title() }] : [],
  );

/** Whether a feature has a screen at this address: `/inbox` also where it has an optional part. */
export const hasScreen = (address: string): boolean =>
  declared.some(
    ({ path }) =>
      path.split('/{')[0] === address ||
      (path === '/activity/$kind' && address.startsWith('/activity/')),
  );
