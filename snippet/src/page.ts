import { SEAM, type Finder, type Found } from './numbers.ts';

/*
 * Changes numbers of the page in place, and can put the page's own back. A script has one page, so
 * what it knows of it lies here.
 */

/** What one text or attribute held before we changed it, and what we wrote. */
interface Written {
  was: string;
  now: string;
}

/** Text in these isn't read by people, or isn't ours to change. */
const SKIPPED = 'script,style,textarea,noscript,title';
/** True in an element whose text stays as it is. */
export const isSkipped = (element: Element | null): boolean => !!element?.closest(SKIPPED);
const skipped = new Set(`${SKIPPED},${SKIPPED.toUpperCase()}`.split(','));
/** Elements that go on within a line: a number can be spread over several. */
const inline = new Set(
  'A,ABBR,B,BDI,BDO,CODE,EM,FONT,I,LABEL,MARK,S,SMALL,SPAN,STRONG,SUB,SUP,U,WBR'.split(','),
);
/** Attributes that can show a number to a person, or dial it. */
export const ATTRIBUTES = ['href', 'aria-label', 'title', 'alt'];
const WITH_ATTRIBUTES = '[href^="tel:"],[href^="sms:"],[aria-label],[title],[alt]';
const KEPT = '[data-dni-noswap],[contenteditable]:not([contenteditable=false])';

/** True where a line goes on: text, comments and elements within a line. */
export const isInLine = (node: Node | null): boolean =>
  !!node && (node.nodeType !== 1 || inline.has(node.nodeName));

const texts = new WeakMap<Node, Written>();
const attributes = new WeakMap<Element, Record<string, Written>>();
let finder: Finder | null = null;
/** What the text of an element matches that holds a number of ours or of the page. */
let suspect = /^/;
let written = 0;
let run: Text[] = [];

const mayChange = (element: Element | null, { swap }: Found): boolean =>
  !element ||
  (!element.closest(KEPT) && (!swap.selectors?.[0] || !!element.closest(swap.selectors.join())));
/** Of what was found in a line, what may be changed in each node that it is spread over. */
const changeable = (nodes: Text[], own: string[], found: Found[]): Found[] =>
  found.filter((one) => {
    let end = 0;
    return nodes.every((node, at) => {
      const start = end;
      end += (own[at]?.length ?? 0) + 1;
      return end <= one.from || start >= one.to || mayChange(node.parentElement, one);
    });
  });

/** Swaps the numbers in the text that has gathered, which ends here. */
function endRun(): void {
  const nodes = run;
  run = [];
  if (!nodes.some(({ data }) => /\d/.test(data))) return;
  // What the page itself wants to show.
  const own = nodes.map((node) => {
    const known = texts.get(node);
    return known?.now === node.data ? known.was : node.data;
  });
  const joined = own.join(SEAM);
  const found = finder && joined.length > 6 ? changeable(nodes, own, finder(joined)) : [];
  let start = 0;
  nodes.forEach((node, at) => {
    const was = own[at] ?? '';
    write(node, was, rewrite(was, start, found));
    start += was.length + 1;
  });
}

function write(node: Text, was: string, now: string): void {
  if (now !== was) texts.set(node, { was, now });
  if (node.data === now) return;
  // Only this: React keeps the node, and its text is no different to a person's eyes.
  node.nodeValue = now;
  written += Number(now !== was);
}

function walk(node: Node): void {
  for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
}

function visit(node: Node): void {
  if (node.nodeType === 3) {
    run.push(node as Text);
  } else if (node.nodeType === 1) {
    const name = node.nodeName;
    if (inline.has(name)) return walk(node);
    endRun();
    // Asking for a whole text at once is far faster than looking at each piece of it.
    if (skipped.has(name) || !suspect.test(node.textContent ?? '')) return;
    walk(node);
    endRun();
  }
}

/** Swaps in the attributes of one element. */
export function swapAttributes(element: Element): void {
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(name);
    if (!value || (name === 'href' && !/^(tel|sms):/i.test(value))) continue;
    const known = attributes.get(element)?.[name];
    const was = known?.now === value ? known.was : value;
    const read = name === 'href' ? was.replace(/%20/g, ' ') : was;
    const all = finder && /\d/.test(read) ? finder(read) : [];
    const found = all.filter((one) => mayChange(element, one));
    const now = found[0] ? rewrite(read, 0, found) : was;
    if (now === value) continue;
    attributes.set(element, { ...attributes.get(element), [name]: { was, now } });
    element.setAttribute(name, now);
    written += 1;
  }
}

/** Swaps in everything in an element or shadow root, but for the shadow roots in it. */
export function swapIn(root: Element | ShadowRoot): void {
  walk(root);
  endRun();
  root.querySelectorAll(WITH_ATTRIBUTES).forEach(swapAttributes);
}

/**
 * Looks for these numbers from now on; null puts the page's own back at the next swap.
 * @param maybe what a text matches that holds one of them, or one that we wrote before
 */
export function look(next: Finder | null, maybe: RegExp): void {
  finder = next;
  suspect = maybe;
}

/** How many texts and attributes were changed. */
export const changeCount = (): number => written;

/** Swaps in the line of text that a node belongs to. */
export function swapLine(node: Node): void {
  if (isSkipped(node.parentElement)) return;
  let top = node;
  while (top.parentNode && isInLine(top.parentNode) && top.parentNode.nodeType === 1)
    top = top.parentNode;
  let first = top;
  while (first.previousSibling && isInLine(first.previousSibling)) first = first.previousSibling;
  for (let one: Node | null = first; one && isInLine(one); one = one.nextSibling) visit(one);
  endRun();
}

/** The piece of a text that begins at `start`, with every number in it replaced. */
function rewrite(piece: string, start: number, found: readonly Found[]): string {
  let text = '';
  let at = 0;
  for (const one of found) {
    const from = one.from - start;
    const to = one.to - start;
    if (to <= 0 || from >= piece.length) continue;
    text += piece.slice(at, Math.max(0, from)) + partOf(one, -from, piece.length - from);
    at = Math.min(to, piece.length);
  }
  return text + piece.slice(at);
}

/** The part of a replacement that one piece of a spread number shows. */
function partOf({ from, to, text }: Found, begin: number, end: number): string {
  const length = to - from;
  const b = Math.max(0, begin);
  const e = Math.min(length, end);
  // As long as before: each piece keeps its own digits. Otherwise the first piece has it all.
  return text.length === length ? text.slice(b, e) : b ? '' : text.split(SEAM).join('');
}
