import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/**
 * Design tokens. Screens use them through Mantine props and the `--tl-…` variables of `variables`
 * below; colors, sizes and durations are defined nowhere else.
 */

const slate: MantineColorsTuple = [
  '#f8fafc',
  '#f1f5f9',
  '#e2e8f0',
  '#cbd5e1',
  '#94a3b8',
  '#64748b',
  '#475569',
  '#334155',
  '#1e293b',
  '#0f172a',
];
/**
 * Dark surfaces, lightest first as Mantine expects: 0 text, 2 dimmed, 4 border, 6 field, 7 page, 8
 * rail.
 */
const night: MantineColorsTuple = [
  '#dbe1e8',
  '#b9c3ce',
  '#97a4b3',
  '#6b7785',
  '#38424d',
  '#2a323b',
  '#1e252c',
  '#161b21',
  '#11151a',
  '#0b0e12',
];
/** Deep teal. Shade 6 on white 5.5 : 1, shade 3 on the dark page 9 : 1. */
const accent: MantineColorsTuple = [
  '#eef9f7',
  '#d6f1ec',
  '#abe2d9',
  '#76cdc1',
  '#42b1a4',
  '#228f84',
  '#0f766e',
  '#0b625b',
  '#0a4f4a',
  '#083f3c',
];
const red: MantineColorsTuple = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#e5484d',
  '#c62a2f',
  '#b01e23',
  '#8f1a1e',
  '#701518',
];
const green: MantineColorsTuple = [
  '#f0fdf4',
  '#dcfce7',
  '#bbf7d0',
  '#86e5a8',
  '#4cc97c',
  '#1f9d55',
  '#15803d',
  '#166534',
  '#14532d',
  '#0f3d22',
];
const yellow: MantineColorsTuple = [
  '#fffbeb',
  '#fef3c7',
  '#fde68a',
  '#fbd34d',
  '#f0b429',
  '#d98a06',
  '#a85a08',
  '#8a4a0b',
  '#713d0f',
  '#5a310d',
];
const blue: MantineColorsTuple = [
  '#eff6ff',
  '#dceafe',
  '#bfdbfe',
  '#93c2fb',
  '#60a1f5',
  '#3b7fe0',
  '#1f5fc4',
  '#1c4fa3',
  '#1d4283',
  '#1a3566',
];
const violet: MantineColorsTuple = [
  '#f5f3ff',
  '#ebe7fe',
  '#d9d1fd',
  '#bdaefa',
  '#9d86f3',
  '#7f5fe6',
  '#6741d0',
  '#5734b0',
  '#482c90',
  '#3a2574',
];

/** Colors of charts and avatars: Okabe–Ito, distinguishable with every kind of color vision. */
export const chartColors = [
  '#0f766e',
  '#d55e00',
  '#0072b2',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#7a7a7a',
  '#a9a200',
] as const;

/** Row heights in px; dense is the default. */
export const rowHeight = { dense: 36, comfortable: 44 } as const;
/** Font weights. */
export const weight = { regular: 400, medium: 500, strong: 600 } as const;

const alertEdge: Record<string, string> = {
  orange: 'var(--tl-warn)',
  yellow: 'var(--tl-warn)',
  red: 'var(--tl-danger)',
  teal: 'var(--tl-success)',
  green: 'var(--tl-success)',
  gray: 'var(--tl-line-strong)',
};
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
  components: {
    Text: { defaultProps: { size: 'md' } },
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 500 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', size: 'md' },
      styles: { label: { textTransform: 'none', fontWeight: 500 } },
    },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120, transition: 'fade' },
        overlayProps: { backgroundOpacity: 0.4, blur: 0 },
      },
      styles: { title: { fontWeight: 600, fontSize: '1rem' } },
    },
    Drawer: {
      defaultProps: {
        transitionProps: { duration: 140 },
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
    // Without the placeholder the first item takes the focus: a menu's children must all be items.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        transitionProps: { duration: 90, transition: 'fade' },
        position: 'bottom-end',
      },
    },
    Popover: {
      defaultProps: { shadow: 'md', transitionProps: { duration: 90, transition: 'fade' } },
    },
    Select: {
      defaultProps: {
        checkIconPosition: 'right',
        comboboxProps: { shadow: 'md', transitionProps: { duration: 90, transition: 'fade' } },
      },
    },
    // Opened by focus alone, the list would take the Escape meant for its dialog; typing, clicking
    // or an arrow key opens it.
    MultiSelect: {
      defaultProps: {
        checkIconPosition: 'right',
        openOnFocus: false,
        comboboxProps: { shadow: 'md' },
      },
    },
    TagsInput: { defaultProps: { openOnFocus: false } },
    Tooltip: {
      defaultProps: {
        withArrow: false,
        openDelay: 350,
        transitionProps: { duration: 80 },
        events: { hover: true, focus: true, touch: false },
      },
    },
    // Overlays are in one named region (AppProvider.tsx): screen-reader navigation skips content
    // outside landmarks.
    Portal: { defaultProps: { target: '#floating' } },
    Paper: { defaultProps: { withBorder: true, shadow: undefined } },
    Anchor: { defaultProps: { underline: 'always' } },
    // The title has the text color, as status colors on their tint lack contrast. A hairline and a
    // colored edge, as a filled alert is too loud in the dark theme.
    Alert: {
      defaultProps: { variant: 'light' },
      styles: (_: unknown, { color }: { color?: string }) => ({
        root: {
          background: 'var(--tl-raised)',
          border: '1px solid var(--tl-line)',
          borderInlineStart: `3px solid ${alertEdge[color ?? ''] ?? 'var(--tl-accent)'}`,
        },
        title: { color: 'var(--tl-text)' },
        message: { color: 'var(--tl-text)' },
      }),
    },
    Tabs: { styles: { tab: { fontWeight: 500 } } },
    Table: { styles: { table: { fontVariantNumeric: 'tabular-nums' } } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 2 } },
  },
});

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
  light: {
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
  },
  dark: {
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
  },
});
