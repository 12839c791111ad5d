import {
  ATTRIBUTES,
  changeCount,
  isInLine,
  isSkipped,
  swapAttributes,
  swapIn,
  swapLine,
} from './page.ts';

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

const roots = new Set<Document | ShadowRoot>();
/** Of elements that were met. */
const names = new Set<string>();
let hearOfChange: () => void;
let inARow = 0;
let since = 0;
let isPaused = false;
const observer = new MutationObserver((records) => {
  try {
    hearOfChange();
    if (!isPaused) handle(records);
  } catch {
    // A page that we don't understand keeps its numbers.
  }
});

function handle(records: MutationRecord[]): void {
  const before = changeCount();
  for (const { type, target, addedNodes } of records) {
    if (type === 'attributes') swapAttributes(target as Element);
    else if (type === 'characterData') swapLine(target);
    else
      addedNodes.forEach((node) => {
        if (node.nodeType === 1) swapAll(node as Element);
        if (isInLine(node)) swapLine(node);
      });
  }
  observer.takeRecords();
  if (changeCount() === before) return;
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
    swapPage();
  }, PAUSE_MS);
}

/** Hears of every change of the page. */
export function onChange(hear: typeof hearOfChange): void {
  hearOfChange = hear;
}

/** Swaps what a document or shadow root shows from now on, before the browser paints it. */
export function watch(root: Document | ShadowRoot): void {
  if (roots.has(root)) return;
  // What the page took away isn't kept by us; it is found again when it comes back.
  roots.forEach((one) => one.isConnected || roots.delete(one));
  roots.add(root);
  observer.observe(root, WHAT);
}

/** Swaps in an element and everything in it. */
export function swapAll(root: Element | ShadowRoot): void {
  if ('tagName' in root) {
    if (isSkipped(root)) return;
    swapAttributes(root);
  }
  swapIn(root);
  const all = root.querySelectorAll('*');
  // By index: `for … of` over a list of nodes takes several times as long.
  for (let at = 0; at < all.length; at += 1) {
    const shadow = all[at]?.shadowRoot;
    if (!shadow) continue;
    watch(shadow);
    swapAll(shadow);
  }
  // These may make a shadow root when they are defined, of which we hear nothing else.
  root.querySelectorAll(':not(:defined)').forEach(({ localName }) => {
    if (names.has(localName)) return;
    names.add(localName);
    void customElements.whenDefined(localName).then(swapPage);
  });
}

/** Swaps in everything that is watched. */
export function swapPage(): void {
  quietly(() =>
    roots.forEach((root) =>
      swapAll(root === document ? root.documentElement : (root as ShadowRoot)),
    ),
  );
}

/** Runs something that changes the page without hearing of it. */
export function quietly(change: () => void): void {
  change();
  observer.takeRecords();
}
