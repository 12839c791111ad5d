import type { Feature, TabRow } from './feature.ts';
import { identity } from './identity/routes.tsx';
import { fields } from './fields/routes.tsx';
import { companies } from './companies/routes.tsx';
import { settings } from './settings/routes.tsx';
import { contacts } from './contacts/routes.tsx';
import { compliance } from './compliance/routes.tsx';
import { numbers } from './numbers/routes.tsx';
import { routing } from './routing/routes.tsx';
import { calls } from './calls/routes.tsx';
import { conversations } from './conversations/routes.tsx';
import { campaigns } from './campaigns/routes.tsx';
import { notifications } from './notifications/routes.tsx';
import { handset } from './handset/routes.tsx';

/** Every feature, in the order of modules.mjs; the handset belongs to the sandbox and comes last. */
export const features: readonly Feature[] = [
  identity,
  fields,
  companies,
  settings,
  contacts,
  compliance,
  numbers,
  routing,
  calls,
  conversations,
  campaigns,
  notifications,
  handset,
];
export const screens = features.flatMap((feature) => feature.screens);

/** The tabs of a row whose screens one may open, in order. */
export const tabsOf = (row: TabRow, may: (permission: string) => boolean) =>
  screens
    .flatMap(({ path, permission, tab }) =>
      tab?.row === row && (!permission || may(permission)) ? [{ path, ...tab }] : [],
    )
    .sort((a, b) => a.order - b.order);

/** Screens one floor down: those with a title of their own that this person may see. */
export const secondLevelScreens = (
  may: (permission: string) => boolean,
): { path: string; title: string }[] =>
  screens.flatMap(({ path, permission, title }) =>
    title && (!permission || may(permission)) ? [{ path, title: title() }] : [],
  );

/** Whether a feature has a screen at this address: `/inbox` also where it has an optional part. */
export const hasScreen = (address: string): boolean =>
  screens.some(
    ({ path }) =>
      path.split('/{')[0] === address ||
      (path === '/activity/$kind' && address.startsWith('/activity/')),
  );
