import { ATTRIBUTES, type createPage } from './page.ts';

/** A page that undoes every swap at once is answered so often in a row; then it gets a pause. */
const MOST_IN_A_ROW = 100;
const PAUSE_MS = 500;
const WHAT: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ATTRIBUTES,
};

/**
 * Swaps what a page shows later, before the browser paints it. `onChange` hears of every change of
 * the page.
 */
export function createWatch(page: ReturnType<typeof createPage>, onChange: () => void) {
  const roots = new Set<Node>();
  let inARow = 0;
  let since = 0;
  let isPaused = false;
  const observer = new MutationObserver((records) => {
    try {
      onChange();
      if (!isPaused) handle(records);
    } catch {
      // A page that we don't understand keeps its numbers.
    }
  });

  function handle(records: MutationRecord[]): void {
    const before = page.count();
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes') page.swapAttributes(target as Element);
      else if (type === 'characterData') page.swapLine(target);
      else
        addedNodes.forEach((node) => {
          if (node.nodeType === 1) page.swap(node as Element);
          if (page.isInLine(node)) page.swapLine(node);
        });
    }
    observer.takeRecords();
    if (page.count() === before) return;
    const now = Date.now();
    if (now - since > PAUSE_MS) {
      since = now;
      inARow = 0;
    }
    // A script that puts its own number back whenever we change it would never let the page go on.
    if ((inARow += 1) < MOST_IN_A_ROW) return;
    isPaused = true;
    setTimeout(() => {
      isPaused = false;
      swapAll();
    }, PAUSE_MS);
  }

  function swapAll(): void {
    for (const root of roots)
      page.swap(root === document ? document.documentElement : (root as ShadowRoot));
    observer.takeRecords();
  }

  return {
    /** Swaps in a document or shadow root from now on. */
    watch(root: Node): void {
      if (roots.has(root)) return;
      roots.add(root);
      observer.observe(root, WHAT);
    },
    swapAll,
    /** Runs something that changes the page without hearing of it. */
    quietly(change: () => void): void {
      change();
      observer.takeRecords();
    },
  };
}
