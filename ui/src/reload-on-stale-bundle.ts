import { lazy, type ComponentType } from 'react';

const storageKey = 'trunkline.reloaded';

/**
 * Loads a part of an app. When its file is gone, a new version has replaced this page's files: the
 * page is loaded again, once, instead of failing.
 */
export const reloadOnStaleBundle =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    try {
      const part = await load();
      sessionStorage.removeItem(storageKey);
      return part;
    } catch (problem) {
      if (sessionStorage.getItem(storageKey)) throw problem;
      sessionStorage.setItem(storageKey, '1');
      window.location.reload();
      return new Promise(() => {});
    }
  };

/** A screen that is loaded when it is opened. */
export const lazyScreen = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(reloadOnStaleBundle(load));
