import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * axe, loaded once per page. The runner of its Playwright package loads it for every check and
 * summarizes in a window of its own, which took most of the time.
 */
const { source } = axe;
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Violations on the page, one line per rule with its first elements. Without `rules`: all of WCAG
 * 2.2 AA.
 */
export async function violations(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<string[]> {
  if (page.frames().length > 1)
    throw new Error('This looks at the page alone, and it has a frame in it.');
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  await settled(page);
  return page.evaluate(
    async (runOnly) => {
      interface Found {
        violations: { id: string; nodes: { target: string[] }[] }[];
      }
      const { axe } = window as unknown as {
        axe: { run(what: Document, how: object): Promise<Found> };
      };
      const found = await axe.run(document, { runOnly, resultTypes: ['violations'] });
      return found.violations.map(
        ({ id, nodes }) =>
          `${id} ${nodes
            .slice(0, 3)
            .map(({ target }) => target.join(' '))
            .join(' | ')}`,
      );
    },
    rules === null ? { type: 'tag', values: wcag } : { type: 'rule', values: [...rules] },
  );
}

/**
 * Resolves when the page shows what its styles say: transitions and animations that end have ended,
 * and a frame was painted after them. Colors asked before then may be those of the last theme.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const painted = () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      });
    await painted();
    const ending = document
      .getAnimations()
      .filter((one) => Number.isFinite(Number(one.effect?.getComputedTiming().endTime)));
    await Promise.allSettled(ending.map((one) => one.finished));
    await painted();
  });
}

/** Switches the page to a theme as the operating system does, and resolves when it is on. */
export async function switchTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page
    .locator(`[data-mantine-color-scheme=${colorScheme}]`)
    .first()
    .waitFor({ state: 'attached' });
  await settled(page);
}
