import { expect, test } from 'vitest';
import { contrastOf, luminance } from '#contract/settings/tenant/rules';
import { brandStyles, brandVariables } from './brand-colors.ts';
import { surfaces, type Scheme } from './variables.ts';

const chosen = ['#ffee00', '#ffffff', '#000000', '#0f766e', '#1d4ed8', '#be123c', '#00ff00'];
const of = (primary: string, scheme: Scheme) => {
  const all = { ...surfaces[scheme], ...brandVariables({ primary, secondary: null }, scheme) };
  return (name: string) => all[name] ?? '';
};

test.each(chosen)('whatever is chosen (%s), people can read it in both themes', (color) => {
  const light = of(color, 'light');
  const dark = of(color, 'dark');
  for (const value of [light, dark])
    expect(
      contrastOf('#ffffff', value('--mantine-color-accent-filled')),
      'white on buttons',
    ).toBeGreaterThanOrEqual(4.5);
  const pairs: [string, string][] = [
    [light('--mantine-color-accent-7'), light('--tl-page')],
    [light('--mantine-color-accent-7'), light('--tl-chosen')],
    [light('--mantine-color-accent-8'), light('--mantine-color-accent-1')],
    [light('--mantine-color-anchor'), light('--tl-page')],
    [light('--tl-bubble-out-text'), light('--tl-bubble-out')],
    [dark('--mantine-color-accent-3'), dark('--tl-page')],
    [dark('--mantine-color-accent-3'), dark('--tl-chosen')],
    [dark('--mantine-color-anchor'), dark('--tl-page')],
    [dark('--tl-bubble-out-text'), dark('--tl-bubble-out')],
  ];
  for (const [text, background] of pairs)
    expect(contrastOf(text, background), `${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
  // A button still stands out from the dark page.
  expect(
    contrastOf(dark('--mantine-color-accent-filled'), dark('--tl-page')),
  ).toBeGreaterThanOrEqual(3);
});

test('a color that can be read is shown as it is', () => {
  expect(of('#1d4ed8', 'light')('--mantine-color-accent-filled')).toBe('#1d4ed8');
  expect(of('#1d4ed8', 'light')('--mantine-color-anchor')).toBe('#1d4ed8');
  expect(luminance(of('#ffee00', 'light')('--mantine-color-accent-filled'))).toBeLessThan(0.19);
});

test('links have the secondary color; without a primary one, buttons stay ours', () => {
  const colors = { primary: null, secondary: '#be123c' };
  const light = brandVariables(colors, 'light');
  expect(light['--mantine-color-anchor']).toBe('#be123c');
  expect(light['--mantine-color-accent-6']).toBe('#0f766e');
  expect(brandStyles(colors)).toContain("[data-mantine-color-scheme='dark']{");
});
