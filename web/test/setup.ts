import { afterEach } from 'vitest';
import { resetScreen } from './screen.tsx';

/** What happy-dom lacks. It has no layout, so virtual lists would render no rows. */
const sizes = { offsetHeight: 800, offsetWidth: 1200, clientHeight: 800, clientWidth: 1200 };
for (const [side, size] of Object.entries(sizes)) {
  Object.defineProperty(HTMLElement.prototype, side, { configurable: true, get: () => size });
}
// A select hides its list while its field has no size.
Element.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 100, 20);
Element.prototype.scrollIntoView = () => {};
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

afterEach(resetScreen);
