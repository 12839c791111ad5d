import { declareScreens } from '../shared/declared-screens.ts';
import type { Feature } from './feature.ts';
import { identity } from './identity/routes.tsx';
import { fields } from './fields/routes.tsx';
import { companies } from './companies/routes.tsx';
import { settings } from './settings/routes.tsx';
import { connections } from './connections/routes.tsx';
import { contacts } from './contacts/routes.tsx';
import { compliance } from './compliance/routes.tsx';
import { numbers } from './numbers/routes.tsx';
import { routing } from './routing/routes.tsx';
import { tracking } from './tracking/routes.tsx';
import { calls } from './calls/routes.tsx';
import { conversations } from './conversations/routes.tsx';
import { campaigns } from './campaigns/routes.tsx';
import { notifications } from './notifications/routes.tsx';
import { archive } from './archive/routes.tsx';
import { handset } from './handset/routes.tsx';

/** Every feature, in the order of modules.mjs; the handset belongs to the sandbox and comes last. */
export const features: readonly Feature[] = [
  identity,
  fields,
  companies,
  settings,
  connections,
  contacts,
  compliance,
  numbers,
  routing,
  tracking,
  calls,
  conversations,
  campaigns,
  notifications,
  archive,
  handset,
];
export const screens = features.flatMap((feature) => feature.screens);
declareScreens(screens);
