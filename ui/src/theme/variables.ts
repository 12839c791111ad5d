import type { CSSVariablesResolver } from '@mantine/core';

/** Row heights in px; dense is the default. */
export const rowHeight = { dense: 36, comfortable: 44 } as const;

/** The colors of the theme that get our light variants. */
const families = ['accent', 'gray', 'red', 'green', 'yellow', 'blue', 'violet'];

/** Light variants and text colors of every family, AA in both themes (Mantine's fail at 13 px). */
const lightVariants = (dark: boolean): Record<string, string> =>
  Object.fromEntries(
    families.flatMap((c) => [
      [
        `--mantine-color-${c}-light`,
        dark
          ? `color-mix(in srgb, var(--mantine-color-${c}-5) 20%, transparent)`
          : `var(--mantine-color-${c}-1)`,
      ],
      [
        `--mantine-color-${c}-light-hover`,
        dark
          ? `color-mix(in srgb, var(--mantine-color-${c}-5) 28%, transparent)`
          : `var(--mantine-color-${c}-2)`,
      ],
      [
        `--mantine-color-${c}-light-color`,
        dark ? `var(--mantine-color-${c}-2)` : `var(--mantine-color-${c}-8)`,
      ],
      [
        `--mantine-color-${c}-outline`,
        dark ? `var(--mantine-color-${c}-4)` : `var(--mantine-color-${c}-6)`,
      ],
      [
        `--mantine-color-${c}-text`,
        dark ? `var(--mantine-color-${c}-3)` : `var(--mantine-color-${c}-7)`,
      ],
    ]),
  );

const light: Record<string, string> = {
  '--mantine-color-body': '#ffffff',
  '--mantine-color-dimmed': '#526074',
  '--mantine-color-placeholder': '#64748b',
  '--mantine-color-anchor': 'var(--mantine-color-accent-7)',
  '--mantine-color-error': 'var(--mantine-color-red-7)',
  '--mantine-color-default-border': '#d5dce5',
  '--tl-page': '#ffffff',
  '--tl-rail': '#f6f8fa',
  '--tl-raised': '#ffffff',
  '--tl-sunken': '#f6f8fa',
  '--tl-hover': '#f1f5f9',
  '--tl-chosen': '#e6f4f2',
  '--tl-line': '#e4e9ef',
  '--tl-line-strong': '#cfd7e1',
  '--tl-quiet': '#526074',
  '--tl-text': '#16202e',
  '--tl-success': 'var(--mantine-color-green-7)',
  '--tl-warn': 'var(--mantine-color-yellow-7)',
  '--tl-danger': 'var(--mantine-color-red-7)',
  '--tl-info': 'var(--mantine-color-blue-7)',
  '--tl-accent': 'var(--mantine-color-accent-7)',
  '--tl-bubble-out': '#dff1ee',
  '--tl-bubble-out-text': '#0d2f2c',
  '--tl-bubble-in': '#f1f4f8',
  '--tl-bubble-in-text': '#16202e',
  '--tl-note': '#fff7dc',
  '--tl-note-text': '#54400c',
  '--mantine-color-text': '#16202e',
  ...lightVariants(false),
};

const dark: Record<string, string> = {
  '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
  '--mantine-color-placeholder': '#8894a3',
  '--mantine-color-anchor': 'var(--mantine-color-accent-3)',
  '--mantine-color-error': 'var(--mantine-color-red-3)',
  '--mantine-color-default-border': '#38424d',
  '--tl-page': '#161b21',
  '--tl-rail': '#11151a',
  '--tl-raised': '#1c2229',
  '--tl-sunken': '#11151a',
  '--tl-hover': '#20272f',
  '--tl-chosen': '#163431',
  '--tl-line': '#272f38',
  '--tl-line-strong': '#38424d',
  '--tl-quiet': '#97a4b3',
  '--tl-text': '#dbe1e8',
  '--tl-success': 'var(--mantine-color-green-3)',
  '--tl-warn': 'var(--mantine-color-yellow-3)',
  '--tl-danger': 'var(--mantine-color-red-3)',
  '--tl-info': 'var(--mantine-color-blue-3)',
  '--tl-accent': 'var(--mantine-color-accent-3)',
  '--tl-bubble-out': '#14403c',
  '--tl-bubble-out-text': '#dff4f1',
  '--tl-bubble-in': '#252d36',
  '--tl-bubble-in-text': '#dbe1e8',
  '--tl-note': '#3a3115',
  '--tl-note-text': '#f5e3ac',
  ...lightVariants(true),
};

export type Scheme = 'light' | 'dark';
/** What differs between the two schemes. */
export const surfaces: Record<Scheme, Record<string, string>> = { light, dark };

/**
 * CSS variables beside Mantine's: surfaces (`page`, `rail`, `raised`, `sunken`, `hover`, `chosen`),
 * lines, secondary text, status text, and the inbox's bubbles.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {
    '--tl-row': `${rowHeight.dense}px`,
    '--tl-row-comfortable': `${rowHeight.comfortable}px`,
    '--tl-rail-width': '216px',
    '--tl-quick': '120ms',
    '--tl-radius': '8px',
  },
  light,
  dark,
});
