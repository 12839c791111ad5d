import { createTheme } from '@mantine/core';
import { components } from './theme/components.ts';
import { accent, blue, green, night, red, slate, violet, yellow } from './theme/palette.ts';

/**
 * Design tokens. Screens use them through Mantine props and the `--tl-…` variables of
 * `theme/variables.ts`; colors, sizes and durations are defined nowhere else.
 */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, gray: slate, dark: night, red, green, yellow, blue, violet },
  white: '#ffffff',
  black: '#0f172a',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.35' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      h4: { fontSize: '0.8125rem', lineHeight: '1.25rem' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  defaultRadius: 'md',
  shadows: {
    xs: 'none',
    sm: 'none',
    md: '0 4px 16px rgb(15 23 42 / 0.10), 0 1px 3px rgb(15 23 42 / 0.08)',
    lg: '0 8px 28px rgb(15 23 42 / 0.14), 0 2px 6px rgb(15 23 42 / 0.08)',
    xl: '0 16px 48px rgb(15 23 42 / 0.18), 0 4px 10px rgb(15 23 42 / 0.08)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components,
});

export { chartColors } from './theme/palette.ts';
export { rowHeight, variables } from './theme/variables.ts';
