import type { MantineThemeOverride } from '@mantine/core';
import { optionsFilter } from './options-filter.ts';

const alertEdge: Record<string, string> = {
  orange: 'var(--tl-warn)',
  yellow: 'var(--tl-warn)',
  red: 'var(--tl-danger)',
  teal: 'var(--tl-success)',
  green: 'var(--tl-success)',
  gray: 'var(--tl-line-strong)',
};

/** Defaults and styles of Mantine's components. */
export const components: NonNullable<MantineThemeOverride['components']> = {
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
    styles: { title: { fontWeight: 600, fontSize: '1rem' } },
  },
  // Names are only heard of elements with a role.
  Loader: { defaultProps: { role: 'status' } },
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
      filter: optionsFilter,
      checkIconPosition: 'right',
      comboboxProps: { shadow: 'md', transitionProps: { duration: 90, transition: 'fade' } },
    },
  },
  // Opened by focus alone, the list would take the Escape meant for its dialog; typing, clicking
  // or an arrow key opens it.
  MultiSelect: {
    defaultProps: {
      filter: optionsFilter,
      checkIconPosition: 'right',
      openOnFocus: false,
      comboboxProps: { shadow: 'md' },
    },
  },
  TagsInput: { defaultProps: { filter: optionsFilter, openOnFocus: false } },
  Autocomplete: { defaultProps: { filter: optionsFilter } },
  // No stars: what is missing is said at its field when the form is sent.
  InputWrapper: { defaultProps: { withAsterisk: false } },
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
};
