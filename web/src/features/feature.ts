import type { ComponentType, FunctionComponent } from 'react';
import type { Command, Store } from '#ui';

/** Icons of navigation and menu entries. */
type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>;

/** One address of the app (decisions A2). `$id` is a parameter (`useParam('id')`), `{-$id}` an optional one. */
export interface Screen {
  path: string;
  load: () => Promise<{ default: FunctionComponent }>;
  /** A row of the permission matrix; without it every signed-in person may come. Refused → the "not allowed" page. */
  permission?: string;
  /** `public`: no session needed, no frame. `bare`: session needed, no frame. */
  frame?: 'public' | 'bare';
  /** Stands without a selected company. */
  worksWithoutCompany?: boolean;
  /** Its name in the command palette, for screens that have no navigation entry. */
  title?: () => string;
  /** The provider whose connected accounts are set up there. */
  accountsOf?: string;
  /** What it is for, on a tile of the gallery of integrations. */
  tile?: () => string;
  /** Its place in a row of tabs, lowest order first. */
  tab?: { label: () => string; order: number } & (
    | { row: 'settings'; group: SettingsGroup }
    | { row: Exclude<TabRow, 'settings'>; group?: never }
  );
}
export type TabRow = 'settings' | 'contacts' | 'numbers' | 'tracking' | 'organization' | 'reports';
/** Under which heading a settings page stands. */
export type SettingsGroup = 'you' | 'company' | 'people' | 'data';

/** An entry of the main navigation, lowest order first. */
export interface NavEntry {
  key: string;
  label: () => string;
  icon: Icon;
  order: number;
  /** Where it leads: the first of these screens whose permission one has. */
  to: readonly string[];
  /** Addresses that belong to it. */
  pathPrefix: string;
  shortcut?: string;
  badge?: 'unread' | 'alerts';
}

/** What the command palette finds by text, lowest order first. */
interface Search {
  group: () => string;
  order: number;
  permission: string;
  find: (query: string, signal: AbortSignal) => Promise<Command[]>;
}

/** A switch of the person's own menu. */
export interface MenuSwitch {
  label: () => string;
  icon: Icon;
  state: Store<{ on: boolean }>;
  toggle: () => Promise<void>;
}

/** What a module adds to the app. Each declares it in its `routes.tsx`; `./index.ts` lists them. */
export interface Feature {
  screens: readonly Screen[];
  navigation?: readonly NavEntry[];
  searches?: readonly Search[];
  menu?: readonly MenuSwitch[];
  /** Runs while somebody is signed in; returns what stops it. */
  listeners?: readonly (() => () => void)[];
  /** Stands at the foot of the rail. */
  dock?: ComponentType;
  /** Stands above every screen. */
  overlay?: ComponentType;
}
