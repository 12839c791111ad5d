import { Anchor, mergeThemeOverrides } from '@mantine/core';
import { theme } from '#ui/theme.ts';

/** The shared theme in Caddy's color. */
export const caddyTheme = mergeThemeOverrides(theme, {
  primaryColor: 'violet',
  components: { Anchor: Anchor.extend({ defaultProps: { c: 'violet' } }) },
});
