import { afterEach } from 'vitest';
import { resetScreen } from './screen.tsx';

/** What happy-dom leaves out. It lays nothing out: lists that draw what is in sight would draw nothing. */
const sizes = { offsetHeight: 800, offsetWidth: 1200, clientHeight: 800, clientWidth: 1200 };
for (const [side, size] of Object.entries(sizes)) {
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => size });
}
// A list that drops down hides itself where its field has no place.
Element.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 100, 20);
Element.prototype.scrollIntoView = () => {};
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

afterEach(resetScreen);
